import DocumentValues

extension JSONObject {
    /// `nil` where the bytes are no object.
    static func readable(_ bytes: [UInt8]) -> JSONObject? {
        do { return try JSONObject(parsing: bytes) } catch { return nil }
    }
}
