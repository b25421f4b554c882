import DocumentValues
import Foundation

/// Names in what people read.
package enum NameSpelling {
    /// Those of a list that read alike have their code points behind them, unless they are ASCII, for nothing else shows which
    /// is which: `josé (jose\u{0301})`.
    package static func shown(_ names: [String]) -> [String] {
        let looks = names.map { look(of: $0) }
        let counts = Dictionary(looks.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(names, looks).map { name, look in
            let isPlain = counts[look] == 1 || name.utf8.allSatisfy { $0 < 0x80 }
            return isPlain ? name : "\(name) (\(name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()))"
        }
    }

    /// Those of a list that people may take for a name, as they are to be shown beside it.
    package static func alike(_ name: String, among known: [String]) -> [String] {
        let shape = NameShape(name)
        return known.filter { !$0.isExactly(name) && NameShape($0) == shape }.map { shown([name, $0])[1] }
    }

    /// Upper case and accents are seen; letters of other scripts that look like Latin ones are not.
    private static func look(of name: String) -> Name {
        Name((name.applyingTransform(.toLatin, reverse: false) ?? name).precomposedStringWithCanonicalMapping)
    }
}
