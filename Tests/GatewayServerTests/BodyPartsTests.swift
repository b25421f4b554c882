import Testing

@testable import GatewayServer

/// A body of pieces of one byte is no body of anybody who wants it read.
@Suite struct BodyPartsTests {
    @Test func smallPiecesAreCounted() {
        var parts = BodyParts()
        for _ in 0..<GatewayServerLimits.smallBodyParts { #expect(parts.note(1) == .taken) }
        #expect(parts.note(GatewayServerLimits.leastBodyPart) == .taken)
        #expect(parts.note(1) == .tooSmall)
        parts.begin()
        #expect(parts.note(1_000) == .dropped)
    }

    /// Many requests of a connection may have small bodies.
    @Test func smallBodiesAreTaken() {
        var parts = BodyParts()
        for _ in 0..<10_000 {
            parts.begin()
            for _ in 1...3 { #expect(parts.note(10) == .taken) }
        }
    }
}
