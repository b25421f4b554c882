import DocumentValues
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct SessionRowTests {
    typealias Rows = (read: any SessionRows, write: any SessionWrites)

    static let engines = RowEngine<Rows>.all { ($0.reader.sessions, $0.sessions) }

    private static func session(_ key: UInt8, of user: Name, expires: Int64) -> Session {
        Session(key: [key], user: user, expires: expires, lifetime: 10, generation: 1)
    }

    private static func left(in rows: Rows) async throws -> [UInt8] {
        var left: [UInt8] = []
        for key in [1, 2, 3, 4, 9] as [UInt8] where try await rows.read.find([key]) != nil { left.append(key) }
        return left
    }

    @Test(arguments: engines) func theyEnd(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            for number in 1...4 as ClosedRange<UInt8> {
                try await rows.write.put(Self.session(number, of: "ann", expires: Int64(number) * 10))
            }
            try await rows.write.put(Self.session(9, of: "bob", expires: 15))
            #expect(try await rows.read.find([2])?.expires == 20)
            #expect(try await rows.write.deleteOldest(of: "ann", leaving: 2))
            #expect(try await Self.left(in: rows) == [3, 4, 9])
            #expect(try await !rows.write.deleteOldest(of: "ann", leaving: 2))
            try await rows.write.deleteExpired(by: 15)
            #expect(try await Self.left(in: rows) == [3, 4])
            try await rows.write.delete([3])
            #expect(try await Self.left(in: rows) == [4])
            try await rows.write.deleteAll(of: "ann")
            #expect(try await Self.left(in: rows) == [])
        }
    }

    @Test(arguments: engines) func oneIsReplaced(on engine: RowEngine<Rows>) async throws {
        try await engine.run { rows in
            try await rows.write.put(Self.session(1, of: "ann", expires: 20))
            try await rows.write.put(
                Session(key: [1], user: "ann", expires: 30, lifetime: 7, generation: 2, isOneTime: true))
            let found = try await rows.read.find([1])
            #expect(found?.expires == 30 && found?.lifetime == 7 && found?.generation == 2 && found?.isOneTime == true)
            #expect(try await rows.read.find([]) == nil)
        }
    }
}
