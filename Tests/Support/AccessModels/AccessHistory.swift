import SeededRandom

/// Random changes around one user, `ann`, and two roles.
public struct AccessHistory: Sendable {
    public static let user = "ann"
    public static let roles = ["r", "s"]
    /// The roles as principals.
    public static let rolePrincipals = roles.map { "role:" + $0 }
    private static let channels = ["a", "b", "c", "d"]

    /// The length of a history.
    public struct Size: Sendable {
        public let rounds: Int
        public let changesPerRound: Int
        public let documents: Int
        public let clients: Int

        /// Most errors of access show within a few steps if they are the right ones: so there are many short histories.
        public static let short = Size(rounds: 3, changesPerRound: 4, documents: 2, clients: 1)
        /// For errors that show only after many changes.
        public static let long = Size(rounds: 40, changesPerRound: 6, documents: 8, clients: 3)
    }

    public let size: Size
    public var random: SeededGenerator
    private let ids: [String]

    public init(seed: UInt64, size: Size) {
        self.size = size
        random = SeededGenerator(seed: seed)
        ids = (0..<size.documents).map { "doc\($0)" }
    }

    public mutating func next() -> AccessChange {
        switch random.number(below: 100) {
        case 0..<45: .write(document(channels: random.some(Self.channels)))
        case 45..<48: .write(document(channels: ["!"]))
        case 48..<56: .write(document(isDeleted: true))
        case 56..<60: .write(document(channels: random.some(["a", "b"]), isDeleted: true))
        case 60..<70: .write(granting())
        case 70..<82: .channels(random.some(["a", "b", "c"]), principal: Self.user)
        case 82..<85: .channels(random.some(["*", "a"]), principal: Self.user)
        case 85..<87: .channels(random.some(["*", "b"]), principal: role())
        case 87..<92: .channels(random.some(["b", "c", "d"]), principal: role())
        default: .roles(random.some(Self.roles))
        }
    }

    private mutating func document(channels: Set<String> = [], isDeleted: Bool = false) -> WrittenDocument {
        WrittenDocument(id: ids[random.number(below: ids.count)], channels: channels, isDeleted: isDeleted)
    }

    private mutating func granting() -> WrittenDocument {
        var document = document(channels: random.some(["a", "b"]))
        switch random.number(below: 3) {
        case 0: document.access[Self.user] = random.some(["a", "c", "d"])
        case 1: document.access[role()] = random.some(["a", "b", "d"])
        default: document.roles = random.some(Self.roles)
        }
        return document
    }

    private mutating func role() -> String { Self.rolePrincipals[random.number(below: 2)] }
}
