import Foundation

enum Measuring {
    static let runs = 3

    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start).inSeconds
    }

    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return (ContinuousClock.now - start).inSeconds
    }

    /// The medians of both, which run in turns, so that other work of the machine affects both.
    static func medians(
        runs: Int = runs, ours: () throws -> Double, reference: () throws -> Double
    ) rethrows -> (ours: Double, reference: Double) {
        var (values, others): ([Double], [Double]) = ([], [])
        for _ in 0..<runs {
            values.append(try ours())
            others.append(try reference())
        }
        return (median(values), median(others))
    }

    static func median(_ values: [Double]) -> Double { percentile(50, of: values) }

    static func percentile(_ percent: Double, of values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// A folder that is removed with the object.
final class TemporaryFolder {
    let url: URL
    var path: String { url.path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("fieldbook-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Bytes of all files in it.
    func size() throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: path).reduce(0) { sum, name in
            let file = try url.appendingPathComponent(name).resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
            return file.isRegularFile == true ? sum + (file.fileSize ?? 0) : sum
        }
    }
}

enum OpenFiles {
    /// Thousands of connections need as many descriptors; the programs started from here inherit the limit.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// Linux' figures of a process's memory.
enum ProcessMemory {
    /// Megabytes in RAM now.
    static func resident(_ process: Int32) throws -> Double { try field("VmRSS:", process) }

    /// Megabytes in RAM at most so far.
    static func peak(_ process: Int32) throws -> Double { try field("VmHWM:", process) }

    /// Resets the peak of this process.
    static func forgetPeak() throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/clear_refs"))
        try file.write(contentsOf: Data("5".utf8))
        try file.close()
    }

    private static func field(_ name: String, _ process: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { throw BenchmarkFailure("/proc/\(process)/status has no \(name)") }
        return kilobytes / 1_024
    }
}

/// The time that all threads of this process have worked.
enum ProcessorTime {
    /// POSIX counts them in microseconds.
    static func seconds() -> Double { Double(clock()) / 1_000_000 }
}
