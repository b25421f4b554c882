import DocumentValues

/// The kind of a value that does not fit a type, for the text of the error: it has nothing of the value itself.
struct FoundValue: Error, CustomStringConvertible {
    let kind: JSONLayout.Kind

    var description: String {
        switch kind {
        case .null: "null"
        case .false, .true: "a boolean"
        case .number: "a number"
        case .text, .escapedText: "a text"
        case .array: "an array"
        case .object: "an object"
        case .name, .ambiguousName, .escapedName: "a name"
        }
    }
}
