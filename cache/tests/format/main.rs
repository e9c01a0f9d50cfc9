//! The promises of the file format, one file each.

mod common;
mod damage;
mod foreign;
mod hostile;
mod round_trip;
mod tools;
