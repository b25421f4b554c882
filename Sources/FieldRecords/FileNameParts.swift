/// A file's name, cut at its last dot.
package struct FileNameParts {
    let stem: String
    /// With its dot; empty where there is none.
    let suffix: String

    package init(_ name: String) {
        let bytes = name.utf8
        if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex,
            bytes.index(after: dot) < bytes.endIndex
        {
            stem = String(name[..<dot])
            suffix = String(name[dot...])
        } else {
            stem = name
            suffix = ""
        }
    }

    func appending(_ mark: String) -> String { "\(stem)-\(mark)\(suffix)" }

    /// The name itself, or the first of `name-2`, `name-3` and so on that is not taken.
    ///
    /// - Parameter number: the first that is tried, if the name itself is taken.
    package func firstUnused(from number: Int = 2, _ isTaken: (String) -> Bool) -> String {
        let name = stem + suffix
        guard isTaken(name) else { return name }
        var number = number
        while isTaken(appending("\(number)")) { number += 1 }
        return appending("\(number)")
    }
}
