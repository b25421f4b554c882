import BLIPProtocol
import BLIPTransport
import DocumentValues
import SyncProtocol
import Testing
import WorkCount

/// No message of the replication protocol costs more than in proportion to its size.
@Suite(.serialized, .timeLimit(.minutes(15))) struct MessageGrowthTests {
    /// What a message has no case for, and why.
    private static let exempt: [MessageProfile: String] = [
        .unsubChanges: "has nothing in it",
        .ping: "has nothing in it",
        .norev: "is not looked into",
        .proveAttachment: "is refused by its name",
    ]

    @Test func everyMessageHasACase() {
        let measured = Set(MessageGrowthCase.all.map(\.profile))
        #expect(measured.isDisjoint(with: Self.exempt.keys))
        #expect(measured.union(Self.exempt.keys) == Set(MessageProfile.allCases))
    }

    @Test func messagesGrowWithTheirSize() async throws {
        Growth.countSQLite()
        try await TestGateway.run { gateway in
            let team = try await TestTeam(growing: gateway)
            var number = 0
            for one in MessageGrowthCase.all {
                let growth = try await Growth.of(one.size) { size in
                    number += 1
                    let id = "document\(number)"
                    for request in one.setUp(id, size) {
                        let answer = try await request.send(team)
                        #expect(answer.status / 100 == 2, "\(one.name): \(answer.text.prefix(200))")
                    }
                    let names = one.profile == .getCollections ? [] : ["field.inspections"]
                    let client = try await HostileSync(gateway, user: "alice", collections: names)
                    try await one.isReady(client, id, size)
                    var properties: BLIPProperties = names.isEmpty ? [:] : ["collection": "0"]
                    for property in one.properties(id, size) { properties.append(property.key, value: property.value) }
                    return (size, client, properties, Array(one.body(size).utf8))
                } work: { size, client, properties, body in
                    let answer = try await one.send(client, properties, body, size)
                    #expect(answer.status == one.status, "\(one.name): \(answer.text.prefix(200))")
                    #expect(one.holds(answer.text, size), "\(one.name): \(answer.text.prefix(200))")
                    client.connection.abort()
                }
                #expect(!growth.isSquare, "\(one.name): \(growth)")
            }
        }
    }
}
