import Testing

@testable import GatewayServer

/// A body of pieces of one byte is no body of anybody who wants it read.
@Suite struct BodyPartsTests {
    @Test func smallPiecesAreCounted() {
        var parts = BodyParts()
        let outcomes = (0..<GatewayServerLimits.smallBodyParts).map { _ in parts.note(1) }
        let isTaken = outcomes.allSatisfy { $0 == .taken }
        let larger = parts.note(GatewayServerLimits.leastBodyPart)
        let last = parts.note(1)
        parts.begin()
        let later = parts.note(1_000)
        #expect(isTaken && larger == .taken && last == .tooSmall && later == .dropped)
    }

    /// Many requests of a connection may have small bodies.
    @Test func smallBodiesAreTaken() {
        var parts = BodyParts()
        var taken = 0
        for _ in 0..<10_000 {
            parts.begin()
            for _ in 1...3 where parts.note(10) == .taken { taken += 1 }
        }
        #expect(taken == 30_000)
    }
}
