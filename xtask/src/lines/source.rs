//! The code lines of one file, and the files of the modules that it declares.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

/// A counted file.
pub struct Source {
    /// Lines with code outside of tests.
    pub lines: usize,
    /// Files of the declared modules, except those of tests.
    pub modules: Vec<PathBuf>,
}

/// Counts a file's text. `folder` is the file's folder and `below` the folder of its modules.
pub fn read(text: &str, folder: &Path, below: &Path) -> Result<Source> {
    let at = |error: syn::Error| anyhow!("line {}: {error}", error.span().start().line);
    let file = syn::parse_file(text).map_err(at)?;
    let mut walk = Walk { folder, below: below.to_path_buf(), inline: 0, tests: Vec::new(), modules: Vec::new() };
    if is_test(file.attrs.iter().map(ToTokens::to_token_stream).collect()) {
        return Ok(Source { lines: 0, modules: Vec::new() });
    }
    walk.visit_file(&file);
    let mut lines = BTreeSet::new();
    add_lines(file.into_token_stream(), &walk.tests, &mut lines, text);
    // A text of several lines may have blank ones.
    let lines = text.lines().zip(1..).filter(|(line, at)| lines.contains(at) && !line.trim().is_empty()).count();
    Ok(Source { lines, modules: walk.modules })
}

/// Adds the lines of all tokens, except those of comments and of `tests`.
fn add_lines(tokens: TokenStream, tests: &[RangeInclusive<usize>], lines: &mut BTreeSet<usize>, text: &str) {
    for token in tokens {
        let span = token.span();
        // The token of a documentation comment, an attribute, has the comment's position.
        let comment = text.get(span.byte_range()).is_some_and(|text| text.starts_with("//") || text.starts_with("/*"));
        if comment || tests.iter().any(|test| test.contains(&span.start().line)) {
            continue;
        }
        let mut add = |span: Span| lines.extend(span.start().line..=span.end().line);
        match token {
            TokenTree::Group(group) => {
                if group.delimiter() != Delimiter::None {
                    add(group.span_open());
                    add(group.span_close());
                }
                add_lines(group.stream(), tests, lines, text);
            }
            _ => add(span),
        }
    }
}

/// Finds the tests and the modules of a file.
struct Walk<'a> {
    folder: &'a Path,
    below: PathBuf,
    /// Depth of inline modules.
    inline: usize,
    /// The lines of each test.
    tests: Vec<RangeInclusive<usize>>,
    modules: Vec<PathBuf>,
}

impl Walk<'_> {
    /// Whether a piece of syntax is compiled for tests alone; its lines are then noted. rustfmt leaves no other code on
    /// them.
    fn leave_out(&mut self, syntax: &impl ToTokens) -> bool {
        let found = is_test(syntax.to_token_stream());
        if found {
            let span = syntax.span();
            self.tests.push(span.start().line..=span.end().line);
        }
        found
    }
}

/// Visits a kind of syntax unless it is compiled for tests alone.
macro_rules! visit_unless_test {
    ($($visit:ident: $kind:ident),* $(,)?) => {
        $(fn $visit(&mut self, syntax: &'ast syn::$kind) {
            if !self.leave_out(syntax) {
                visit::$visit(self, syntax);
            }
        })*
    };
}

impl<'ast> Visit<'ast> for Walk<'_> {
    visit_unless_test! {
        visit_item: Item,
        visit_impl_item: ImplItem,
        visit_trait_item: TraitItem,
        visit_foreign_item: ForeignItem,
        visit_field: Field,
        visit_field_value: FieldValue,
        visit_variant: Variant,
        visit_stmt: Stmt,
        visit_arm: Arm,
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let named = module.attrs.iter().find_map(|attribute| match &attribute.meta {
            syn::Meta::NameValue(value) if value.path.is_ident("path") => match &value.value {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
                _ => None,
            },
            _ => None,
        });
        if module.content.is_some() {
            self.below.push(named.as_deref().unwrap_or(name));
            self.inline += 1;
            visit::visit_item_mod(self, module);
            self.inline -= 1;
            self.below.pop();
            return;
        }
        self.modules.push(match named {
            Some(path) if self.inline == 0 => self.folder.join(path),
            Some(path) => self.below.join(path),
            None => {
                let file = self.below.join(format!("{name}.rs"));
                if file.is_file() { file } else { self.below.join(name).join("mod.rs") }
            }
        });
    }
}

/// Whether attributes at the head of tokens restrict what follows to tests.
fn is_test(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter();
    loop {
        match tokens.next() {
            Some(TokenTree::Punct(mark)) if mark.as_char() == '#' || mark.as_char() == '!' => {}
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                let Ok(meta) = syn::parse2::<syn::Meta>(group.stream()) else { continue };
                let test = match &meta {
                    syn::Meta::Path(path) => path.is_ident("test"),
                    syn::Meta::List(list) if list.path.is_ident("cfg") => {
                        list.parse_args().is_ok_and(|condition: syn::Meta| holds(&condition) == Some(false))
                    }
                    _ => false,
                };
                if test {
                    return true;
                }
            }
            _ => return false,
        }
    }
}

/// The value of a `cfg` condition outside of tests, where `test` alone decides it.
fn holds(condition: &syn::Meta) -> Option<bool> {
    let parts = |list: &syn::MetaList| -> Vec<Option<bool>> {
        let parse = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        list.parse_args_with(parse).map_or_else(|_| vec![None], |parts| parts.iter().map(holds).collect())
    };
    match condition {
        syn::Meta::Path(path) if path.is_ident("test") => Some(false),
        syn::Meta::List(list) if list.path.is_ident("not") => parts(list).first().copied().flatten().map(|part| !part),
        syn::Meta::List(list) if list.path.is_ident("all") => parts(list).contains(&Some(false)).then_some(false),
        syn::Meta::List(list) if list.path.is_ident("any") => {
            parts(list).iter().all(|part| *part == Some(false)).then_some(false)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line of code ends with `//=`.
    const SOURCE: &str = r####"
//! Module documentation.

use std::fmt; //=
/* A comment
   of two lines. */
/// Documentation.
#[derive(Clone)] //=
struct Named { //=
    /// A field.
    name: String, //=
    #[cfg(test)]
    probe: u32,
} //=

const ADDRESS: &str = "http://example.org"; /* a comment behind code */ //=
const BLOCK: &str = "/*"; //=
const LINES: &str = r#"one //=

//= three"#;

#[cfg(not(test))] //=
fn real() -> u32 { //=
    // A comment.
    #[cfg(test)]
    let x = 1;
    #[cfg(any(test, feature = "more"))] //=
    let x = 2; //=
    x //=
} //=

mod kept; //=
mod inline { //=
    mod inner; //=
} //=
#[path = "elsewhere.rs"] //=
mod named; //=
#[cfg(test)]
mod only_tests;
#[cfg(all(test, unix))]
mod tests {
    fn f() {}
}
impl fmt::Debug for Named { //=
    #[cfg(test)]
    fn helper(&self) -> u32 {
        1
    }
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { //=
        Ok(()) //=
    } //=
} //=
#[test]
fn a_test() {}
"####;

    #[test]
    fn only_code_counts() {
        let source = read(SOURCE, Path::new("src"), Path::new("src/file")).unwrap();
        assert_eq!(source.lines, SOURCE.matches("//=").count());
        let modules = ["src/file/kept/mod.rs", "src/file/inline/inner/mod.rs", "src/elsewhere.rs"];
        assert_eq!(source.modules, modules.map(PathBuf::from));
        assert_eq!(read("#![cfg(test)]\nfn f() {}\n", Path::new(""), Path::new("")).unwrap().lines, 0);
    }
}
