import Foundation

/// Lists and searches of the shell as commands of their own, over the records of a city: the time from the start of the program
/// to its first line and to its end, and its memory beside that with a tenth of the records.
enum ShellBenchmark: Benchmark {
    static let names = ["shell"]
    private static let sites = 6_667
    /// Of each command.
    private static let runs = 21
    /// The promised time for an idle machine, in milliseconds.
    private static let limit = 50.0
    private static let nothing = "/bin/true"

    private static let commands: [(name: String, command: [String])] = [
        ("sites", ["sites"]), ("sites_word", ["sites", RegisterFolder.word]),
        ("sites_no_hit", ["sites", RegisterFolder.absentWord]), ("find_word", ["find", RegisterFolder.word]),
        ("find_no_hit", ["find", RegisterFolder.absentWord]), ("list", ["list", "findings"]), ("status", ["status"]),
    ]

    static func measure() async throws -> [BenchmarkRow] {
        let large = try RegisterFolder(sites: sites)
        let small = try RegisterFolder(sites: sites / 10)
        return try start() + commands.flatMap { try rows($0.name, $0.command, large: large, small: small) }
    }

    /// Of the program, without a folder.
    private static func start() throws -> [BenchmarkRow] {
        let (ours, reference) = try Measuring.medians(runs: runs) {
            try run(["help"]).end
        } reference: {
            try StartedProgram(nothing, []).end
        }
        return [BenchmarkRow("shell.start", ours, "ms", .lower, reference: "a process that does nothing", reference)]
    }

    private static func rows(
        _ name: String, _ command: [String], large: RegisterFolder, small: RegisterFolder
    ) throws -> [BenchmarkRow] {
        var (ours, others, idle): ([StartedProgram], [StartedProgram], [StartedProgram]) = ([], [], [])
        // In turns, so that other work of the machine affects all.
        for _ in 0..<runs {
            ours.append(try run(command + ["--folder", large.path]))
            others.append(try run(command + ["--folder", small.path]))
            idle.append(try StartedProgram(nothing, []))
        }
        func row(_ part: String, _ unit: String, _ value: Double, _ reference: String, _ other: Double) -> BenchmarkRow
        {
            BenchmarkRow("shell.\(name).\(part)", value, unit, .lower, reference: reference, other)
        }
        func median(_ runs: [StartedProgram], _ value: KeyPath<StartedProgram, Double>) -> Double {
            Measuring.median(runs.map { $0[keyPath: value] })
        }
        // Memory is seen with the output, so the highest of all runs counts.
        let (most, mostOfOthers) = (ours.map(\.memory).max() ?? 0, others.map(\.memory).max() ?? 0)
        return [
            row("first_line", "ms", median(ours, \.firstLine), "what is promised", limit),
            row("end", "ms", median(ours, \.end), "a process that does nothing", median(idle, \.end)),
            row("work", "ms CPU", median(ours, \.work), "with a tenth of the records", median(others, \.work)),
            row("memory", "MB", most, "with a tenth of the records", mostOfOthers),
        ]
    }

    private static func run(_ command: [String]) throws -> StartedProgram {
        try StartedProgram(Programs.url("fieldbook").path, command)
    }
}
