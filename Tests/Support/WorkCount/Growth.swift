import Glibc

/// How much more work something is when its input is two and four times as large.
///
/// What is counted is the CPU time of this process, all its threads together: where tests run there is often no counter of
/// instructions to be had (virtual machines have none). Other programs do not add to it, but make it differ by some
/// tens of percent; so the least of several runs counts, and only a growth is a fault that no luck explains.
public struct Growth: Sendable, CustomStringConvertible {
    /// Nanoseconds for n, 2n and 4n.
    public let work: [UInt64]

    /// Four times the input is 4 times the work where it is proportional, 4.6 times with a logarithm, and 16 times where
    /// it grows with the square.
    public static let limit = 9.0
    /// Less than this is told from nothing by chance only. Input is chosen so that a square comes to much more.
    public static let least: UInt64 = 40_000_000

    public var isSquare: Bool { work[2] > Self.least && Double(work[2]) > Self.limit * Double(max(work[0], 1)) }

    public var description: String { work.map { "\(Double($0 / 10_000) / 100) ms" }.joined(separator: ", ") }

    /// - Parameters:
    ///   - size: n, in whatever the work counts.
    ///   - prepare: makes the input, which is no part of the work.
    public static func of<Input>(
        _ size: Int, prepare: (Int) throws -> Input, work: (Input) async throws -> Void
    ) async throws -> Growth {
        var least: [UInt64] = [.max, .max, .max]
        // What looks wrong is looked at again.
        for attempt in 0..<5 {
            for (place, factor) in [1, 2, 4].enumerated() {
                let input = try prepare(size * factor)
                let before = cpuTime
                try await work(input)
                least[place] = min(least[place], cpuTime - before)
            }
            let growth = Growth(work: least)
            if !growth.isSquare || attempt == 4 { return growth }
        }
        return Growth(work: least)
    }

    private static var cpuTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
