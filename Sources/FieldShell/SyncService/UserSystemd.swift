import DocumentValues
import Foundation

/// The user's own systemd, asked with `systemctl --user`.
struct UserSystemd {
    private let program: URL
    private let variables: [String: String]

    /// - Returns: `nil` if there is no `systemctl` in the path.
    init?(_ variables: [String: String]) {
        let folders = (variables["PATH"] ?? "").split(atByte: ":").map(String.init)
        let paths = folders.filter { $0.hasExactPrefix("/") }.map { $0 + "/systemctl" }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else { return nil }
        program = URL(fileURLWithPath: path)
        self.variables = variables
    }

    struct Answer {
        let status: Int32
        /// Its text on both outputs.
        let text: String
    }

    /// - Throws: `SystemdError` if it cannot be run.
    func run(_ arguments: [String]) throws(SystemdError) -> Answer {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["--user", "--no-pager", "--no-ask-password"] + arguments
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Answer(
                status: process.terminationStatus, text: String(decoding: bytes, as: UTF8.self).trimmingSpaces)
        } catch {
            throw SystemdError(error.localizedDescription)
        }
    }

    /// - Throws: `SystemdError` with its message.
    func perform(_ arguments: [String]) throws(SystemdError) {
        let answer = try run(arguments)
        guard answer.status == 0 else { throw SystemdError(answer.text) }
    }
}

/// systemd could not be asked, or did not do it.
struct SystemdError: UserFacingError {
    let description: String

    init(_ description: String) { self.description = description }
}
