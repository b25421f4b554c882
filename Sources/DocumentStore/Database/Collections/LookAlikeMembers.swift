import DocumentValues
import Foundation

/// For which use an object's members are checked.
enum ObjectUse {
    case reading(document: String?)
    case saving

    fileprivate var hint: String {
        switch self {
        case .reading: "Read it as a Document."
        case .saving: "Save it as a MutableDocument."
        }
    }

    fileprivate var document: String? {
        switch self {
        case .reading(let document): document
        case .saving: nil
        }
    }
}

/// Refuses members whose names look alike: decoders take one for the other, and so does a dictionary of Swift, as which an
/// object may be read.
struct LookAlikeMembers {
    let use: ObjectUse
    /// Names and indexes that lead to the present value.
    private var steps: [String] = []

    init(_ use: ObjectUse) { self.use = use }

    /// - Throws: the same for the JSON of a document, or of a row, that is read as an object.
    static func refuse(in json: [UInt8], of document: String?) throws {
        var members = LookAlikeMembers(.reading(document: document))
        try members.refuse(in: try JSONValue(parsing: json))
    }

    /// - Throws: `.invalidParameter`, with both names and where they are.
    mutating func refuse(in value: JSONValue) throws {
        switch value {
        case .object(let object):
            if let (first, second) = Self.pair(among: object.keys) { throw refusal(of: first, and: second) }
            for member in object { try refuse(in: member.value, at: member.key) }
        case .array(let elements):
            for (index, element) in elements.enumerated() { try refuse(in: element, at: "\(index)") }
        case .null, .bool, .number, .string: break
        }
    }

    private mutating func refuse(in value: JSONValue, at step: String) throws {
        steps.append(step)
        try refuse(in: value)
        steps.removeLast()
    }

    private static func pair(among keys: [String]) -> (String, String)? {
        // Nearly all names are of ASCII alone.
        guard keys.contains(where: { $0.utf8.contains { $0 >= 0x80 } }) else { return nil }
        var spelled: [Name: String] = [:]
        for key in keys {
            let name = Name(key.precomposedStringWithCanonicalMapping)
            if let other = spelled.updateValue(key, forKey: name) { return (other, key) }
        }
        return nil
    }

    private func refusal(of first: String, and second: String) -> StoreError {
        let path = Self.shown("/" + steps.joined(separator: "/"))
        return StoreError(
            .invalidParameter,
            message: "Two members of what is at \(path) have names that look alike, '\(Self.shown(first))' "
                + "(\(Self.spelling(of: first))) and '\(Self.shown(second))' (\(Self.spelling(of: second))): "
                + "an object would mix them up.",
            context: use.document.map { ["document": $0] } ?? [:], hint: use.hint)
    }

    private static func shown(_ text: String) -> String {
        text.shortened(toScalars: StoreLimits.shownContext).withControlsEscaped
    }

    /// In ASCII, where the two differ: `e\u{0301}`.
    private static func spelling(of name: String) -> String {
        name.shortened(toScalars: StoreLimits.shownContext).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }
}
