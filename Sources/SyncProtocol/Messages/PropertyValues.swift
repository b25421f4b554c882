import BLIPProtocol
import DocumentValues
import NIOCore

/// Property values are strings on the wire; these read them as liberally as the reference products do.
extension BLIPProperties {
    /// `true`, `yes` in any case, or a number that is not zero.
    public func isTrue(_ key: String) -> Bool {
        guard let value = nonEmpty(key) else { return false }
        if let number = Int64(value) { return number != 0 }
        let text = value.lowercased()
        return text == "true" || text == "yes"
    }

    /// Whether the property is present and its value is not one of those for false; a gateway reads `deleted` and
    /// `continuous` in this way.
    func isPresentAndNotFalse(_ key: String) -> Bool {
        guard let value = nonEmpty(key) else { return false }
        return value.lowercased() != "false" && value != "0"
    }

    func integer(_ key: String) -> Int? { nonEmpty(key).flatMap { Int($0) } }

    mutating func append(_ key: String, ifPresent value: String?) {
        if let value { append(key, value: value) }
    }

    static func request(_ profile: MessageProfile, collection: Int? = nil) -> BLIPProperties {
        var properties: BLIPProperties = [Self.profileKey: profile.rawValue]
        if let collection { properties.append(MessageProperty.collection, value: String(collection)) }
        return properties
    }
}

extension ByteBuffer {
    var byteArray: [UInt8] { Array(readableBytesView) }
}

extension BLIPErrorReply {
    /// The answer to a request that lacks a required value, or has an invalid one.
    static func badRequest(_ text: String) -> BLIPErrorReply { .http(400, message: text) }
}
