import DocumentValues
import Testing

@testable import GatewayCore

@Suite struct WorkLineTests {
    @Test func nobodysWorkKeepsOthersWaiting() {
        var line = WorkLine(total: 500)
        #expect(line.enter(100, of: "ann") == nil)
        #expect(line.enter(100, of: "ann") == nil)
        let third = line.enter(100, of: "ann")
        let fourth = line.enter(10, of: "ann")
        #expect(third != nil && fourth != nil, "ann leaves as much as she has, and her own come in their order")
        #expect(line.enter(100, of: "bob") == nil)
        #expect(line.end(100, of: "ann") == [third].compactMap { $0 })
        #expect(line.end(100, of: "ann") == [fourth].compactMap { $0 })
    }

    @Test func whoIsAloneHasAsMuchAsTheyNeed() {
        var line = WorkLine(total: 100)
        #expect(line.enter(1_000, of: "ann") == nil)
        let small = line.enter(1, of: "bob")
        #expect(small != nil)
        #expect(line.end(1_000, of: "ann") == [small].compactMap { $0 })
    }

    @Test func accountsTakeTurns() {
        var line = WorkLine(total: 100)
        #expect(line.enter(100, of: "ann") == nil)
        let ann = (0..<3).map { _ in line.enter(10, of: "ann")! }
        let bob = (0..<3).map { _ in line.enter(10, of: "bob")! }
        var begun = line.end(100, of: "ann")
        var owners = begun.map { ann.contains($0) ? "ann" : "bob" }
        while begun.count < 6 {
            let next = line.end(10, of: Name(owners.removeFirst()))
            begun += next
            owners += next.map { ann.contains($0) ? "ann" : "bob" }
        }
        #expect(begun.filter(ann.contains) == ann && begun.filter(bob.contains) == bob)
        #expect(Set(begun.prefix(2).map { ann.contains($0) }) == [true, false])
    }

    /// An account that has used up its share waits for its own work to end, and keeps no other account waiting.
    @Test func whoHasTheirShareKeepsNobodyWaiting() {
        var line = WorkLine(total: 300)
        #expect(line.enter(100, of: "eve") == nil)
        #expect(line.enter(100, of: "eve") != nil)
        for _ in 0..<200 {
            #expect(line.enter(10, of: "bob") == nil)
            #expect(line.end(10, of: "bob").isEmpty)
        }
    }

    /// Small requests go first for a while, but not forever.
    @Test func whatIsLargeGetsItsRoom() {
        var line = WorkLine(total: 100)
        #expect(line.enter(10, of: "small 0") == nil)
        let large = line.enter(90, of: "large")!
        var running = ["small 0"]
        var isDone = false
        for round in 1..<1_000 where !isDone {
            let name = "small \(round)"
            if line.enter(10, of: Name(name)) == nil { running.append(name) }
            guard !running.isEmpty else { break }
            isDone = line.end(10, of: Name(running.removeFirst())).contains(large)
        }
        #expect(isDone)
    }
}
