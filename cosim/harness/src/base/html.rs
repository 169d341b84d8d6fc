// SPDX-License-Identifier: Apache-2.0
//! A page as one HTML file: its style and its only script are in it, and it loads nothing.

use data_encoding::BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// A document with this style, and with a script if it needs one.
pub fn document(style: &str, title: &str, body: &Markup, script: Option<&str>) -> String {
    let mut policy = "default-src 'none'; style-src 'unsafe-inline'".to_owned();
    if let Some(script) = script {
        // No other script runs.
        policy.push_str(&format!("; script-src 'sha256-{}'", BASE64.encode(&Sha256::digest(script))));
    }
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) @if let Some(script) = script { script { (PreEscaped(script)) } } }
        }
    }
    .into_string()
}
