import DocumentValues

/// A scalar's bytes as a value.
package enum BodyText {
    package static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard case .string(let text)? = try? JSONValue(parsing: Array(bytes)) else { return nil }
        return text
    }

    package static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> QueryValue {
        guard let json = try? JSONValue(parsing: Array(bytes)) else { return .missing }
        return QueryValue(json)
    }
}
