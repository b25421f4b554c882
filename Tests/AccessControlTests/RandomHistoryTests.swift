import AccessControl
import DocumentValues
import Testing

/// Clients that follow the feed, with interruptions anywhere, must end up with exactly what they may see.
@Suite struct RandomHistoryTests {
    /// SplitMix64: the same history from the same seed.
    private struct Seed: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private struct Client {
        let user: String
        var since = SequenceID.zero
        var documents: [String: UInt64] = [:]

        /// Reads some of a pass, or all of it; then everything up to the gateway's sequence is known.
        mutating func read(_ gateway: ModelGateway, atMost limit: Int) {
            for row in gateway.feed(user, since: since).prefix(limit) {
                since = SequenceID(parsing: row.sequence.description)!
                let document = gateway.documents[row.id]!
                let isVisible = gateway.view(of: user).sees(document.channels.current.keys)
                // What is loaded is the current revision, if it is still visible.
                documents[row.id] = row.isLost || document.isDeleted || !isVisible ? nil : document.sequence
            }
        }
    }

    private static let channels = ["a", "b", "c", "d"]
    private static let ids = (0..<8).map { "doc\($0)" }

    private static func change(_ gateway: inout ModelGateway, _ seed: inout Seed) {
        func some(_ names: [String]) -> Set<String> { Set(names.filter { _ in Bool.random(using: &seed) }) }
        let id = ids.randomElement(using: &seed)!
        switch Int.random(in: 0..<100, using: &seed) {
        case 0..<55: gateway.write(id, channels: some(channels))
        case 55..<58: gateway.write(id, channels: ["!"])
        case 58..<66: gateway.write(id, channels: [], isDeleted: true)
        case 66..<70: gateway.write(id, channels: some(["a", "b"]), isDeleted: true)
        case 70..<82: gateway.grant("ann", channels: some(["a", "b", "c"]))
        case 82..<84: gateway.grant("ann", channels: ["*"])
        case 84..<92: gateway.grant(["r", "s"].randomElement(using: &seed)!, channels: some(["b", "c", "d"]))
        default: gateway.grant("ann", roles: some(["r", "s"]))
        }
    }

    @Test(arguments: 0..<300)
    func clientsEndUpWithWhatTheyMaySee(number: Int) {
        var seed = Seed(state: UInt64(number))
        var gateway = ModelGateway()
        gateway.users["ann"] = UserGrants(name: "ann")
        gateway.roles["r"] = RoleGrants(name: "r")
        gateway.roles["s"] = RoleGrants(name: "s")
        var clients = (0..<3).map { _ in Client(user: "ann") }
        for _ in 0..<40 {
            for _ in 0..<Int.random(in: 1...6, using: &seed) { Self.change(&gateway, &seed) }
            for index in clients.indices where Bool.random(using: &seed) {
                let isInterrupted = Bool.random(using: &seed)
                clients[index].read(gateway, atMost: isInterrupted ? Int.random(in: 0...4, using: &seed) : .max)
                guard !isInterrupted else { continue }
                #expect(clients[index].documents == gateway.visible(to: "ann"))
            }
        }
        for var client in clients {
            client.read(gateway, atMost: .max)
            #expect(client.documents == gateway.visible(to: "ann"))
        }
    }
}
