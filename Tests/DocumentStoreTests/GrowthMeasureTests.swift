import DocumentValues
import GRDB
import Testing
import WorkCount

/// What the growth tests count shows a square, and takes nothing else for one. Each square here is planted where only one
/// measure has to show it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GrowthMeasureTests {
    /// A copy of all that came before for each element.
    @Test(.enabled(if: Growth.countsMemory)) func memoryShowsASquare() async throws {
        let growth = try await Growth.of(200, prepare: { $0 }) { count in
            var list: [Int] = []
            for number in 0..<count { list = list + [number] }
            #expect(list.count == count)
        }
        #expect(growth.squares.contains(.allocatedBytes), "\(growth)")
        #expect(!growth.squares.contains(.allocations), "\(growth)")
    }

    /// A new object for each pair.
    @Test(.enabled(if: Growth.countsMemory)) func allocationsShowASquare() async throws {
        final class Pair {}
        let growth = try await Growth.of(50, prepare: { $0 }) { count in
            var last = Pair()
            for _ in 0..<count { for _ in 0..<count { last = Pair() } }
            withExtendedLifetime(last) {}
        }
        #expect(growth.squares.contains(.allocations), "\(growth)")
    }

    /// What is left of a buffer is moved to its beginning for each byte that is taken.
    @Test(.enabled(if: Growth.countsMemory)) func movingBytesShowsASquare() async throws {
        let growth = try await Growth.of(500, prepare: { [UInt8](repeating: 1, count: $0) }) { bytes in
            var (rest, sum) = (bytes, 0)
            while !rest.isEmpty { sum += Int(rest.removeFirst()) }
            #expect(sum == bytes.count)
        }
        #expect(growth.squares.contains(.touchedBytes), "\(growth)")
        #expect(!growth.squares.contains(.allocatedBytes), "\(growth)")
    }

    /// A text is compared with all others that begin alike.
    @Test(.enabled(if: Growth.countsMemory)) func comparingTextsShowsASquare() async throws {
        let growth = try await Growth.of(100, prepare: { (0..<$0).map { "a name of more than fifteen bytes \($0)" } }) {
            names in
            var found = 0
            for name in names where names.contains(name + "x") { found += 1 }
            #expect(found == 0)
        }
        #expect(growth.isSquare, "\(growth)")
    }

    private final class Mark {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    /// A search through a list for each of its elements asks for no memory.
    @Test(.enabled(if: Growth.countsMemory)) func searchingAListShowsASquare() async throws {
        let growth = try await Growth.of(200, prepare: { (0..<$0).map { Mark($0) } }) { marks in
            var found = 0
            for mark in marks {
                var index = 0
                while marks[index] !== mark { index += 1 }
                found += 1
            }
            #expect(found == marks.count)
        }
        #expect(Set(growth.squares).subtracting([.regions]) == [.references], "\(growth)")
    }

    /// All that has come is read once more for each piece that comes.
    @Test(.enabled(if: Growth.countsMemory)) func readingBytesAgainShowsASquare() async throws {
        final class Received { var bytes: [UInt8] = [] }
        let growth = try await Growth.of(200, prepare: { $0 }) { count in
            let received = Received()
            var ends = 0
            for _ in 0..<count {
                received.bytes.append(1)
                for byte in received.bytes where byte == 0 { ends += 1 }
            }
            #expect(ends == 0)
        }
        #expect(growth.isSquare, "\(growth)")
    }

    /// Arithmetic asks for nothing.
    @Test(.enabled(if: Growth.countsRegions)) func regionsShowASquare() async throws {
        let growth = try await Growth.of(100, prepare: { $0 }) { count in
            var (outer, mixed) = (0, 0)
            while outer < count {
                var inner = 0
                while inner < count {
                    mixed ^= outer &* inner
                    inner += 1
                }
                outer += 1
            }
            #expect(outer == count && mixed >= 0)
        }
        #expect(growth.squares == [.regions], "\(growth)")
    }

    /// Rows are looked for without an index.
    @Test func sqliteShowsASquare() async throws {
        Growth.countSQLite()
        let growth = try await Growth.of(50) { count in
            let database = try DatabaseQueue()
            try await database.write { db in
                try db.execute(sql: "CREATE TABLE names (name TEXT)")
                for number in 0..<count {
                    try db.execute(sql: "INSERT INTO names VALUES (?)", arguments: ["name\(number)"])
                }
            }
            return (count, database)
        } work: { count, database in
            let found = try await database.read { db in
                try Int.fetchOne(
                    db,
                    sql: "SELECT count(*) FROM names a WHERE +name = (SELECT name FROM names b WHERE +b.name = a.name)")
            }
            #expect(found == count)
        }
        #expect(growth.squares.contains(.sqlite), "\(growth)")
    }

    /// Sorting is n log n, sets and dictionaries grow in steps.
    @Test func whatGrowsWithItsSizeIsNoSquare() async throws {
        let sorting = try await Growth.of(500, prepare: { (0..<$0).map { "name\($0 &* 7_919 % 104_729)" } }) { names in
            var known: Set<Name> = []
            for name in names.sorted() { known.insert(Name(name + " and some more")) }
            #expect(known.count == names.count)
        }
        #expect(!sorting.isSquare, "\(sorting)")
    }

    /// Work that goes another way once there is more of it, each in proportion.
    @Test func aStepIsNoSquare() async throws {
        let step = try await Growth.of(1_000, prepare: { $0 }) { count in
            var kept: [[Int]] = []
            for number in 0..<count where count > 3_000 || number % 10 == 0 { kept.append([number]) }
            #expect(kept.count >= count / 10)
        }
        #expect(!step.isSquare, "\(step)")
    }

    /// What is always the same, however much of it, is no growth.
    @Test func muchThatIsAlwaysTheSameIsNoSquare() async throws {
        let same = try await Growth.of(100, prepare: { $0 }) { count in
            var bytes = [UInt8](repeating: 0, count: 50_000_000 + count)
            bytes[count] = 1
            #expect(bytes.count > count)
        }
        #expect(!same.isSquare, "\(same)")
    }
}
