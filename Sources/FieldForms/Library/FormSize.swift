import DocumentValues
import FormLogic

/// How much of a gateway's limits a definition takes up.
struct FormSize {
    private(set) var bytes: Int
    private var values: Int

    init(_ form: Form) {
        let definition = form.definition
        bytes = Form.canonical(definition).count
        values = JSONValue.object(definition).valueCount
    }

    init(_ list: ChoiceList) {
        let choices = JSONValue.array(list.choices.map { .object($0.object) })
        bytes = JSONWriter(sortsKeys: true).bytes(choices).count
        values = choices.valueCount
    }

    /// A blob in its stead has some values and bytes of its own.
    mutating func remove(_ list: FormSize) {
        bytes += 200 - list.bytes
        values += 5 - list.values
    }

    /// The limit that is exceeded, and by how much.
    var excess: (count: Int, limit: Int, unit: String)? {
        if bytes > FormLibraryLimits.definition { return (bytes, FormLibraryLimits.definition, "bytes") }
        return values > FormLibraryLimits.values ? (values, FormLibraryLimits.values, "values") : nil
    }
}

extension JSONValue {
    /// The members and elements in it, as a gateway counts them.
    var valueCount: Int {
        var count = 0
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .null, .bool, .number, .string: break
            case .array(let elements):
                count += elements.count
                open += elements
            case .object(let object):
                count += object.count
                open += object.members.map(\.value)
            }
        }
        return count
    }
}
