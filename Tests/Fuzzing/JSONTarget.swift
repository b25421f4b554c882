import DocumentValues

extension FuzzTarget {
    /// Reader, scan of the top level and writer agree with each other.
    static let json = FuzzTarget(name: "json", seeds: { try Recordings.bodies() }) { bytes in
        checkPrefix(bytes)
        checkScan(bytes)
        let value = try JSONValue(parsing: bytes)
        checkWriting(value)
        _ = value.hashValue
        _ = value.blobReferences()
        if !value.blobReferences().isEmpty { check(mayContainBlobs(value.bytes), "a blob is not noticed") }
        _ = RevisionDigest.gatewayRevision(parent: nil, body: value)
        if case .number(let number) = value { _ = (number.int64, number.uint64, number.double) }
    }

    private static func checkWriting(_ value: JSONValue) {
        for writer in [JSONWriter(), JSONWriter(sortsKeys: true), JSONWriter(escapesLikeGo: true)] {
            let written = writer.bytes(value)
            let again = try? JSONValue(parsing: written)
            check(again == value, "what was written reads differently: \(text(written))")
        }
    }

    private static func checkPrefix(_ bytes: [UInt8]) {
        guard let prefix = try? JSONValue.parsePrefix(of: bytes) else {
            check((try? JSONValue(parsing: bytes)) == nil, "the whole is taken and its beginning is not")
            return
        }
        check(prefix.length <= bytes.count, "a value is longer than what it was read from")
        let whole = try? JSONValue(parsing: Array(bytes.prefix(prefix.length)))
        check(whole == prefix.value, "a value's own bytes read differently")
    }

    private static func checkScan(_ bytes: [UInt8]) {
        let object = try? JSONObject(parsing: bytes)
        guard let top = try? JSONTopLevel(scanning: bytes) else {
            check(object == nil, "the scan refuses what the reader takes")
            return
        }
        // Only the reader joins the halves of a character outside the basic plane, so it may refuse more.
        guard let object else { return }
        for member in object {
            let value = top[member.key].flatMap { try? JSONValue(parsing: Array(bytes[$0])) }
            check(value == member.value, "the scan finds another value of \(member.key)")
        }
        let rest = top.removing(from: bytes) { $0.hasPrefix("_") }
        check(
            (try? JSONObject(parsing: rest)) == object.filter { !$0.hasPrefix("_") }, "what is left reads differently")
        let longer = try? JSONObject(parsing: appendingMembers(Array(#""\u0000new":1"#.utf8), toObject: bytes))
        check(longer?["\0new"] == 1, "an appended member is lost")
    }
}
