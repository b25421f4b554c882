import CWorkCount

/// How much more work something is when its input is two and four times as large.
///
/// Steps are counted, not time: they are nearly the same on every machine, loaded or not, so that a square shows with a few
/// hundred elements, in a few milliseconds. There is no counter of instructions to be had in most virtual machines; what is
/// counted instead are the calls that nearly every step of Swift's unoptimized code makes (`Measure`). In the build
/// that `make growth` makes the code counts each region of itself that is run, too.
///
/// What is not seen, and has to be read for squares by somebody:
/// - without that, loops over plain memory that take no reference, no memory, and call nothing of the C library, as they
///   are over `UnsafeBufferPointer` (`JSONReader`, `RepeatedKeys`), and arithmetic;
/// - loops within other libraries, of which only the memory that they ask for and touch is seen: Foundation, zlib, libsodium,
///   `Regex`;
/// - other processes, as those that run sync functions; they have a time limit instead.
///
/// All of this process is counted, for work goes on in other threads: run tests that measure one after the other
/// (`--no-parallel`). What others do meanwhile only adds, and the least of several runs counts.
public struct Growth: Sendable, CustomStringConvertible {
    public enum Measure: String, Sendable, CaseIterable {
        /// Blocks of memory that are asked for.
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

        /// Growth by less than this, from 2n to 4n, differs from nothing by chance only: timers and connections that are
        /// opened work, too.
        fileprivate var least: Double {
            switch self {
            case .allocations: 1_500
            case .allocatedBytes, .touchedBytes: 200_000
            case .references, .regions: 30_000
            case .sqlite: 20
            }
        }
    }

    /// How many times as much the step from 2n to 4n may add as that from n to 2n: 2 where the work is proportional, 2.3
    /// with a logarithm, and 4 where it grows with the square. What is always the same falls out.
    private static let limit = 3.0

    /// For n, 2n and 4n; for 2n, 4n and 8n where those looked like a square.
    public let work: [[Measure: UInt64]]

    /// By what it grows faster than it may.
    public var squares: [Measure] {
        Measure.allCases.filter { measure in
            let counts = work.map { Double($0[measure] ?? 0) }
            let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
            // What is next to nothing at first may have been so by chance.
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

    /// Nothing but SQLite's steps is counted under a sanitizer, which replaces the functions that count.
    public static var countsMemory: Bool { work_count_sees_memory() != 0 }

    /// Regions of code are counted where they count themselves.
    public static var countsRegions: Bool { work_count_sees_regions() != 0 }

    /// Counts SQLite's steps on connections that are opened from now on.
    public static func countSQLite() { work_count_sqlite() }

    /// - Parameters:
    ///   - size: n, in whatever the work counts.
    ///   - prepare: makes the input, which is no part of the work.
    public static func of<Input>(
        _ size: Int, prepare: (Int) async throws -> Input, work: (Input) async throws -> Void
    ) async throws -> Growth {
        let growth = try await least(size, prepare, work)
        // Where work goes another way from some size on, it makes one step, but not a second one.
        return growth.isSquare ? try await least(2 * size, prepare, work) : growth
    }

    /// Of several runs.
    private static func least<Input>(
        _ size: Int, _ prepare: (Int) async throws -> Input, _ work: (Input) async throws -> Void
    ) async throws -> Growth {
        var least: [[Measure: UInt64]] = [[:], [:], [:]]
        // What looks wrong is looked at again.
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
