// SPDX-License-Identifier: Apache-2.0
// The verilated unit and the verilated decoder as Rust sees them, whatever their configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rust/cxx.h"

namespace cosim {

// Shared with Rust, defined in bridge.rs.
enum class ModelKind : std::uint8_t;
struct Inputs;
struct Outputs;
struct CsrState;
struct Built;
struct RegisterMap;

// One instance of the unit. Instances share nothing, so that each thread can have its own.
//
// An exception (an assertion of the RTL, $stop, $fatal, $finish) leaves the instance unusable.
class Model {
 public:
  virtual ~Model() = default;

  virtual void reset(std::uint32_t cycles) = 0;
  virtual void step(const Inputs &inputs, Outputs &outputs, CsrState &csrs) = 0;
  virtual CsrState csrs() const = 0;
  virtual Built built() const = 0;
  virtual RegisterMap register_map() const = 0;
  virtual bool register_equals(std::uint8_t phys, rust::Slice<const std::uint8_t> expected) const = 0;
  virtual void read_register(std::uint8_t phys, rust::Slice<std::uint8_t> bytes) const = 0;
  virtual void read_tile(std::uint8_t md, rust::Slice<std::uint8_t> bytes) const = 0;
  virtual void open_wave(rust::Str path) = 0;
  virtual void close_wave() = 0;
  virtual void set_fault(std::uint32_t id) = 0;
  virtual void write_coverage(rust::Str path) const = 0;
};

// A decoder of the unit: one word in, all columns of its decode out.
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual void decode(std::uint32_t first, std::uint32_t step, rust::Slice<std::uint64_t> rows) = 0;
};

// A row of the table of models, which the build script writes.
struct Entry {
  const char *config;
  ModelKind kind;
  std::unique_ptr<Model> (*make)(std::uint64_t seed);
};
extern const Entry registry[];
extern const std::size_t registry_size;

std::unique_ptr<Model> new_model(rust::Str config, ModelKind kind, std::uint64_t seed);
std::unique_ptr<Decoder> new_decoder();
std::unique_ptr<Decoder> new_matrix_decoder();

}  // namespace cosim
