import DocumentValues
import Foundation

/// Names in texts for people.
package enum NameSpelling {
    /// Adds the code points to names of a list that look alike, unless they are ASCII, because nothing else distinguishes
    /// them: `josé (jose\u{0301})`.
    package static func shown(_ names: [String]) -> [String] {
        let looks = names.map { look(of: $0) }
        let counts = Dictionary(looks.map { ($0, 1) }, uniquingKeysWith: +)
        return zip(names, looks).map { name, look in
            let isPlain = counts[look] == 1 || name.utf8.allSatisfy { $0 < 0x80 }
            return isPlain ? name : "\(name) (\(name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()))"
        }
    }

    /// The names of a list that people may take for a given one, in the form to be shown beside it.
    package static func alike(_ name: String, among known: [String]) -> [String] {
        let shape = NameShape(name)
        return known.filter { !$0.isExactly(name) && NameShape($0) == shape }.map { shown([name, $0])[1] }
    }

    /// The visible form: case and accents make a difference; letters of other scripts that look like Latin ones do not.
    private static func look(of name: String) -> Name {
        Name((name.applyingTransform(.toLatin, reverse: false) ?? name).precomposedStringWithCanonicalMapping)
    }
}
