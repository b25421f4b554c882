import CWorkCount

/// How much more work something is when its input is two and four times as large.
///
/// Steps are counted, not time: their number is nearly the same on every machine, loaded or not, so that a square shows
/// with a few hundred elements, in a few milliseconds. Most virtual machines have no counter of instructions. Instead, the
/// calls that nearly every step of Swift's unoptimized code makes are counted (`Measure`). In the build of `make growth`,
/// the code also counts each of its regions that is run.
///
/// These are not seen, and an engineer has to check them for squares:
/// - in all other builds, arithmetic, and loops over plain memory that take no reference and no memory and call nothing
///   of the C library, such as those over `UnsafeBufferPointer` (`JSONReader`, `RepeatedKeys`);
/// - loops within other libraries, of which only the memory that they allocate and touch is seen: Foundation, zlib,
///   libsodium, `Regex`;
/// - other processes, such as those that run sync functions; they have a time limit instead.
///
/// The whole process is counted, since some work is done in other threads: run measuring tests one after the other
/// (`--no-parallel`). Other work at the same time only adds to the count, so the least of several runs counts.
public struct Growth: Sendable, CustomStringConvertible {
    public enum Measure: String, Sendable, CaseIterable {
        /// Allocated blocks of memory.
        case allocations
        /// Their bytes.
        case allocatedBytes
        /// Bytes that the C library copies, fills, compares and searches: Swift's arrays and texts are moved and compared
        /// by it.
        case touchedBytes
        /// References to objects that are taken.
        case references
        /// Steps of SQLite's virtual machine, in hundreds.
        case sqlite
        /// Regions of code between two branches that are run.
        case regions

        /// Growth by less than this from 2n to 4n is only by chance: timers and opened connections also do some work.
        fileprivate var least: Double {
            switch self {
            case .allocations: 1_500
            case .allocatedBytes, .touchedBytes: 200_000
            case .references, .regions: 30_000
            case .sqlite: 20
            }
        }
    }

    /// How many times as much the step from 2n to 4n may add as that from n to 2n: 2 if the work is proportional, 2.3
    /// with a logarithm, and 4 if it grows with the square. Constant work does not count.
    private static let limit = 3.0

    /// The work for n, 2n and 4n; or for 2n, 4n and 8n if the former looked like a square.
    public let work: [[Measure: UInt64]]

    /// The measures that grow faster than allowed.
    public var squares: [Measure] {
        Measure.allCases.filter { measure in
            let counts = work.map { Double($0[measure] ?? 0) }
            let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
            // A very small first step may have been so by chance.
            return second > measure.least && second > Self.limit * max(first, measure.least / Self.limit)
        }
    }

    public var isSquare: Bool { !squares.isEmpty }

    public var description: String {
        let counts = Measure.allCases.map { measure in
            let mark = squares.contains(measure) ? " (a square)" : ""
            return "\(measure): " + work.map { "\($0[measure] ?? 0)" }.joined(separator: ", ") + mark
        }
        return counts.joined(separator: "; ")
    }

    /// A sanitizer replaces the functions that count: then only SQLite's steps are counted.
    public static var countsMemory: Bool { work_count_sees_memory() != 0 }

    /// Whether the build counts regions of code.
    public static var countsRegions: Bool { work_count_sees_regions() != 0 }

    /// Counts SQLite's steps on connections that are opened from now on.
    public static func countSQLite() { work_count_sqlite() }

    /// SQLite's steps in some work, in hundreds.
    public static func sqliteSteps<Value>(
        in work: () async throws -> Value
    ) async rethrows -> (steps: UInt64, value: Value) {
        work_count_begin()
        defer { work_count_end() }
        let before = work_count_now()
        let value = try await work()
        return (work_count_now().sqlite_hundreds - before.sqlite_hundreds, value)
    }

    /// - Parameters:
    ///   - size: n, in a unit of the work.
    ///   - prepare: makes the input; this is not counted as work.
    public static func of<Input>(
        _ size: Int, prepare: (Int) async throws -> Input, work: (Input) async throws -> Void
    ) async throws -> Growth {
        let growth = try await least(size, prepare, work)
        // If the work takes another path from some size on, that makes one jump, but not a second one.
        return growth.isSquare ? try await least(2 * size, prepare, work) : growth
    }

    /// Of several runs.
    private static func least<Input>(
        _ size: Int, _ prepare: (Int) async throws -> Input, _ work: (Input) async throws -> Void
    ) async throws -> Growth {
        var least: [[Measure: UInt64]] = [[:], [:], [:]]
        // A result that looks like a square is measured again.
        for _ in 0..<4 {
            for (index, factor) in [1, 2, 4].enumerated() {
                let input = try await prepare(size * factor)
                least[index].merge(try await count { try await work(input) }, uniquingKeysWith: min)
            }
            if !Growth(work: least).isSquare { break }
        }
        return Growth(work: least)
    }

    private static func count(_ work: () async throws -> Void) async throws -> [Measure: UInt64] {
        work_count_begin()
        defer { work_count_end() }
        let before = work_count_now()
        try await work()
        let after = work_count_now()
        return [
            .allocations: after.allocations - before.allocations,
            .allocatedBytes: after.allocated_bytes - before.allocated_bytes,
            .touchedBytes: after.touched_bytes - before.touched_bytes,
            .references: after.retains - before.retains,
            .sqlite: after.sqlite_hundreds - before.sqlite_hundreds,
            .regions: after.regions - before.regions,
        ]
    }
}
