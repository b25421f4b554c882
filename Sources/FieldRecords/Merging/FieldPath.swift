import DocumentValues

/// Where in a record a value is: a member (`score`), a member of a member (`answers`, `fridge`), or a member of an item
/// of a list (`photos`, the item's key, `caption`).
public struct FieldPath: Sendable, Hashable {
    /// At least one; the first is a member of the record.
    let components: [Name]

    init(components: [Name]) {
        precondition(!components.isEmpty, "a path begins with a member of the record")
        self.components = components
    }

    public init(_ member: String) { self.init(components: [Name(member)]) }

    public init(_ member: String, part: String) { self.init(components: [Name(member), Name(part)]) }

    /// Such as `score` or `answers.fridge`.
    public var name: String { components.map(\.text).joined(separator: ".") }

    /// The member of the record that it begins with.
    public var member: String { components[0].text }

    /// Its name for people: the last part, such as `fridge`.
    public var lastName: String { components[components.count - 1].text }

    func appending(_ component: String) -> FieldPath { FieldPath(components: components + [Name(component)]) }

    /// Whether it is a photo as a whole, of which people can only say that it is to be there or not.
    public var isItem: Bool { components.count == 2 && components[0] == Self.photos }

    /// The photo that the field is a member of; `nil` for any other field.
    public var item: FieldPath? {
        guard components.count > 2, components[0] == Self.photos else { return nil }
        return FieldPath(components: Array(components.prefix(2)))
    }

    /// The key of the photo that the field is, or is a member of; `nil` for any other field.
    public var photoKey: Name? {
        components.count > 1 && components[0] == Self.photos ? components[1] : nil
    }

    private static let photos = Name("photos")

    /// The part of a value that can be contested: of a whole photo only its presence.
    func contestable(_ value: JSONValue?) -> JSONValue? {
        guard let value = ValueOrder.present(value) else { return nil }
        return isItem ? .bool(true) : value
    }
}

// MARK: In JSON

/// A text for a member of the record, a list of texts for a deeper member.
extension FieldPath {
    init?(_ value: JSONValue) {
        switch value {
        case .string(let member): self.init(member)
        case .array(let parts):
            let texts = parts.compactMap(\.stringValue)
            guard texts.count == parts.count, (2...FieldRecordsLimits.pathDepth).contains(texts.count) else {
                return nil
            }
            self.init(components: texts.map { Name($0) })
        case .null, .bool, .number, .object: return nil
        }
    }

    var value: JSONValue {
        components.count == 1 ? .string(components[0].text) : .array(components.map { .string($0.text) })
    }
}
