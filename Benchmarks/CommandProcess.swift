import Foundation

/// The program `fieldbook` as a worker runs it.
enum CommandProcess {
    /// Replicates once with `fieldbook db` and prints the most memory that it took, in megabytes.
    static func peak(_ direction: String, _ folder: String, _ gateway: GatewayProcess, _ name: String) throws -> Double
    {
        let secrets = try TemporaryFolder()
        let password = secrets.path + "/password"
        try Data(GatewayProcess.password.utf8).write(to: URL(fileURLWithPath: password))
        chmod(password, 0o600)
        return try run([
            "db", direction, folder, "--url", "ws://127.0.0.1:\(gateway.publicPort)/\(name)", "--user",
            GatewayProcess.user,
            "--password-file", password, "--json",
        ])
    }

    /// Saves documents with `fieldbook db put`.
    static func fill(_ folder: String, _ range: Range<Int>) throws {
        let files = try TemporaryFolder()
        let lines = files.url.appendingPathComponent("lines")
        var text: [UInt8] = []
        for (id, body) in SampleDocuments.documents(range) {
            text.append(contentsOf: #"{"_id":"\#(id)","#.utf8)
            text.append(contentsOf: body.dropFirst())
            text.append(UInt8(ascii: "\n"))
        }
        try Data(text).write(to: lines)
        try run(["db", "put", folder, "_default._default", "--lines"], input: FileHandle(forReadingFrom: lines))
    }

    /// - Returns: the most memory that it took, in megabytes.
    @discardableResult
    static func run(_ arguments: [String], input: FileHandle = .nullDevice) throws -> Double {
        let process = Process()
        process.executableURL = Programs.url("fieldbook")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        var peak = 0.0
        // The kernel keeps the highest value. After the last look only the end of the program can follow.
        while process.isRunning {
            if let now = try? ProcessMemory.peak(process.processIdentifier) { peak = max(peak, now) }
            usleep(5_000)
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("fieldbook \(arguments.prefix(2)) ended with \(process.terminationStatus)")
        }
        return peak
    }
}
