/// The history that first showed that documents which were made again over a deletion stayed refused forever. It has
/// twenty rounds of three laptops, each with twelve of two hundred documents, of which 15 % are deleted; each laptop
/// syncs every third time.
public struct TeamHistory: Sequence, IteratorProtocol, Sendable {
    /// The actions of one laptop in one round.
    public struct Visit: Sendable {
        public let laptop: Int
        public let changes: [(documentID: String, isDeleted: Bool)]
        public let syncs: Bool
    }

    public static let laptops = 3
    private static let rounds = 20
    private var random: PythonGenerator
    private var visits = 0

    /// - Parameter seed: 20 is the one that showed the error.
    public init(seed: UInt32) { random = PythonGenerator(seed: seed) }

    public mutating func next() -> Visit? {
        guard visits < Self.rounds * Self.laptops else { return nil }
        defer { visits += 1 }
        let changes = (0..<12).map { _ in (documentID: "d\(random.randrange(200))", isDeleted: random.random() < 0.15) }
        return Visit(laptop: visits % Self.laptops, changes: changes, syncs: random.randrange(3) == 0)
    }
}
