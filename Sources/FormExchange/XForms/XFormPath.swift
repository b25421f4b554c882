import DocumentValues

/// The path of a node in a form's instance: `/data/person/page`.
struct XFormPath: Hashable, Sendable {
    let steps: [Name]

    init(_ steps: [Name]) { self.steps = steps }

    /// `nil` for texts that are no absolute path of names. Prefixes, as in `orx:meta`, do not count.
    init?(_ text: String) {
        let trimmed = text.trimmingSpaces
        guard trimmed.utf8.first == UInt8(ascii: "/"), trimmed.utf8.count > 1 else { return nil }
        var steps: [Name] = []
        for step in trimmed.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            let name = Substring(step).trimmingSpaces
            let isName = !name.isEmpty && name.utf8.allSatisfy { XFormPath.isName($0) || $0 == UInt8(ascii: ":") }
            guard isName || (name.hasPrefix("@") && steps.count > 1) else { return nil }
            steps.append(Name(name.split(atByte: ":").last.map(String.init) ?? name))
        }
        self.steps = steps
    }

    /// `/data/person/page`.
    var text: String { steps.reduce(into: "") { $0 += "/\($1.text)" } }

    var last: Name { steps[steps.count - 1] }

    var parent: XFormPath { XFormPath(Array(steps.dropLast())) }

    func appending(_ name: Name) -> XFormPath { XFormPath(steps + [name]) }

    /// Whether it is this node or below it.
    func isWithin(_ other: XFormPath) -> Bool { steps.starts(with: other.steps) }

    /// Letters of names in XML, as far as bytes show them.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}
