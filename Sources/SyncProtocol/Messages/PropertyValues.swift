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

    /// Present and not one of the ways to say no; how a gateway reads `deleted` and `continuous`.
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
    /// A request that lacks what its profile needs.
    static func badRequest(_ text: String) -> BLIPErrorReply { .http(400, message: text) }
}
