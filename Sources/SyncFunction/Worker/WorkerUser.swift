import Foundation

/// The user on whose behalf a worker runs functions. The user's channels and roles are searched here and not in the
/// engine, which would take seconds to read tens of thousands of names: documents may grant a user so many.
final class WorkerUser {
    enum Holding: Int32 { case role, channel }

    /// The bytes from a trip: equal bytes are the same user with the same channels and roles.
    let bytes: [UInt8]
    let name: [UInt8]
    private let rest: ByteReader
    /// Made at the first check, since many functions have none. Names as the engine keeps text, in which half of a pair
    /// of surrogates equals no name from outside.
    private lazy var holdings = Holdings(reading: rest)

    init(reading bytes: [UInt8]) throws(ByteReader.Truncated) {
        self.bytes = bytes
        var reader = ByteReader(bytes)
        name = try reader.piece()
        rest = reader
    }

    /// Whether no name gives access to objects that all calls share, see `isPlain` of the engine.
    var isPlain: Bool {
        let all = Data(bytes)
        return ["__proto__", "constructor"].allSatisfy { all.range(of: Data($0.utf8)) == nil }
    }

    /// - Parameter name: as the engine keeps it.
    func holds(_ holding: Holding, named name: [UInt8]) -> Bool {
        switch holding {
        case .role: holdings.roles.contains(name)
        case .channel: holdings.channels.contains(name)
        }
    }

    private struct Holdings {
        var roles: Set<[UInt8]> = []
        var channels: Set<[UInt8]> = []

        /// The gateway wrote the bytes. If they are incomplete, the user holds nothing, so checks refuse the user.
        init(reading reader: ByteReader) {
            var reader = reader
            guard let roles = try? Self.names(&reader), let channels = try? Self.names(&reader) else { return }
            (self.roles, self.channels) = (roles, channels)
        }

        private static func names(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> Set<[UInt8]> {
            var names: Set<[UInt8]> = []
            for _ in 0..<(try reader.number()) { names.insert(JavaScriptText.inside(try reader.piece())) }
            return names
        }
    }
}
