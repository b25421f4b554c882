import DocumentValues

/// The value that others gave to a field, or, if it is long, its beginning and a digest. The record has the whole value,
/// and the space is needed for the owner's former value.
enum LeftValue {
    private static let digest = "@left"
    private static let beginning = "begins"

    static func of(_ value: JSONValue?) -> JSONValue? {
        guard let value else { return nil }
        let key = ValueOrder.key(value)
        guard key.count > FieldRecordsLimits.leftValue else { return value }
        var known: JSONObject = [digest: .string(SourceDigest.of([Hexadecimal.encode(key)]))]
        if let text = value.stringValue {
            // By bytes: one letter may have any number of marks.
            known[beginning] = .string(text.shortened(toBytes: FieldRecordsLimits.leftBeginning))
        }
        return .object(known)
    }

    /// The value as shown to people.
    static func shown(_ left: JSONValue?) -> JSONValue? {
        guard let known = left?.objectValue, known[digest] != nil else { return left }
        return known[beginning] ?? "…"
    }
}
