import Foundation

/// The user on whose behalf a worker runs functions. What they hold is searched here and not in the engine, which takes
/// seconds to read the names of tens of thousands of channels: anybody's documents may grant somebody so many.
final class WorkerUser {
    enum Holding: Int32 { case role, channel }

    /// As they are in a trip: equal bytes are the same user with the same holdings.
    let bytes: [UInt8]
    let name: [UInt8]
    private let rest: ByteReader
    /// Made when a function first asks, since many never do. Names as the engine keeps text, in which half of a pair of
    /// surrogates equals nothing that is outside.
    private lazy var holdings = Holdings(reading: rest)

    init(reading bytes: [UInt8]) throws(ByteReader.Truncated) {
        self.bytes = bytes
        var reader = ByteReader(bytes)
        name = try reader.piece()
        rest = reader
    }

    /// Whether no name leads from a value to what all calls share, see `isPlain` of the prelude: which of them a user has
    /// a function can find out.
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

        /// The gateway wrote it; of what is not whole the user holds nothing, and is refused what needs it.
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
