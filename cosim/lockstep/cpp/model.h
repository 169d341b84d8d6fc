// SPDX-License-Identifier: Apache-2.0
// The verilated unit and the verilated decoder as Rust sees them, whatever their configuration.
//
// Every model is a shared library with one factory (src/unit/glue.rs). Pointers and plain structs cross its border and
// nothing else, exceptions neither: it needs no symbol of the program that loads it, and may have a C++ library of its
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace cosim {

// Shared with Rust, defined in bridge.rs.
struct Inputs;
struct Outputs;
struct CsrState;
struct Core;
struct Built;
struct RegisterMap;

// One instance of the unit. Instances share nothing, so that each thread can have its own.
//
// An exception (an assertion of the RTL, $stop, $fatal, $finish) leaves the instance unusable. Without a probe all that
// is not seen on the ports reads as zero.
class Model {
 public:
  virtual ~Model() = default;

  void reset(std::uint32_t cycles) { check(try_reset(cycles)); }
  void step(const Inputs &inputs, Outputs &outputs, CsrState &csrs) { check(try_step(inputs, outputs, csrs)); }
  void open_wave(const char *path) { check(try_open_wave(path)); }
  void write_coverage(const char *path) const { check(try_write_coverage(path)); }

  virtual CsrState csrs() const = 0;
  virtual Built built() const = 0;
  virtual RegisterMap register_map() const = 0;
  virtual bool register_equals(std::uint8_t phys, const std::uint8_t *expected, std::size_t size) const = 0;
  virtual void read_register(std::uint8_t phys, std::uint8_t *bytes, std::size_t size) const = 0;
  virtual void read_tile(std::uint8_t md, std::uint8_t *bytes, std::size_t size) const = 0;
  virtual void close_wave() = 0;

 protected:
  // In the library: the text of an exception, or null. It is valid until the next call.
  virtual const char *try_reset(std::uint32_t cycles) noexcept = 0;
  virtual const char *try_step(const Inputs &inputs, Outputs &outputs, CsrState &csrs) noexcept = 0;
  virtual const char *try_open_wave(const char *path) noexcept = 0;
  virtual const char *try_write_coverage(const char *path) const noexcept = 0;

  // In the program.
  static void check(const char *error) {
    if (error) throw std::runtime_error(error);
  }
};

// A system with the unit, a core, and memories (cosim/soc). As a Model it shows the unit; nothing but the core drives it.
class Soc : public Model {
 public:
  void step(Core &core, Outputs &outputs, CsrState &csrs) { check(try_step(core, outputs, csrs)); }
  // The bytes of a memory: 0 program memory, 1 L1M, 2 L0M.
  virtual std::uint8_t *memory(std::uint8_t place) = 0;

 protected:
  using Model::try_step;
  virtual const char *try_step(Core &core, Outputs &outputs, CsrState &csrs) noexcept = 0;
};

// For Rust, which has a Model in its hands: it has to be a Soc.
inline void soc_step(Model &model, Core &core, Outputs &outputs, CsrState &csrs) {
  static_cast<Soc &>(model).step(core, outputs, csrs);
}
inline std::uint8_t *soc_memory(Model &model, std::uint8_t place) { return static_cast<Soc &>(model).memory(place); }

// A decoder of the unit: one word in, all columns of its decode out.
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual void decode(std::uint32_t first, std::uint32_t step, std::uint64_t *rows, std::size_t count) = 0;
};

}  // namespace cosim
