import DocumentValues

/// A value that was to be decided about and that others have decided against.
struct DecidedValue {
    let value: ContestedValue
    /// The chosen value, as far as it is known; `nil` if it is unknown.
    private let other: JSONValue?

    private static let asked = "asked"
    private static let left = "left"

    init(_ value: ContestedValue, inFavourOf other: JSONValue?) {
        self.value = value
        self.other = LeftValue.of(other) ?? .null
    }

    /// `nil` for an element that this version cannot read. Earlier versions noted the value alone.
    init?(_ element: JSONValue) {
        guard let value = ContestedValue(element[Self.asked] ?? element) else { return nil }
        self.value = value
        other = element[Self.asked] == nil ? nil : element[Self.left] ?? .null
    }

    var json: JSONValue {
        guard let other else { return .object(value.object) }
        return [Self.asked: .object(value.object), Self.left: other]
    }

    /// Whether the field still has the chosen value.
    ///
    /// - Parameter present: its present value.
    func stays(beside present: JSONValue?) -> Bool {
        other.map { ValueOrder.isSame(LeftValue.of(present) ?? .null, and: $0) } ?? true
    }
}

extension ChangesByOthers.Field {
    /// Of the field of questions.
    var decided: [DecidedValue] { (before?.arrayValue ?? []).compactMap { DecidedValue($0) } }
}

extension ContestedValue {
    /// `nil` for a deletion.
    var path: FieldPath? {
        guard case .field(let path) = subject else { return nil }
        return path
    }
}
