import Dispatch
import Foundation
import Synchronization

/// Appends lines to `fieldbook.log`; a full one becomes `fieldbook.log.1`, that `.2`, and the oldest goes.
final class LogFileWriter: Sendable {
    private static let name = "fieldbook.log"
    private struct Open {
        let file: FileHandle
        var size: UInt64
    }

    private let directory: String
    private let kept: Int
    private let limit: UInt64
    private let open = Mutex<Open?>(nil)

    init(_ sink: FileLogSink) {
        directory = sink.directory
        kept = min(max(1, sink.maxKeptFiles), StoreLimits.logFiles)
        limit = max(1, sink.maxFileSize)
    }

    func write(_ level: LogLevel, domain: LogDomain, message: String) {
        let line = Data(LogLine.text(level, domain: domain, message: message).utf8)
        open.withLock { open in
            do {
                var current = try open ?? begin()
                if current.size > 0, current.size + UInt64(line.count) > limit {
                    try current.file.close()
                    open = nil
                    try rotate()
                    current = try begin()
                }
                try current.file.write(contentsOf: line)
                current.size += UInt64(line.count)
                open = current
            } catch {
                // Only the console can show this error; the next message tries again.
                open = nil
                LogSinks.console?.write(
                    .error, domain: .database, message: "The log in '\(directory)' cannot be written: \(error)")
            }
        }
    }

    private var folder: URL { URL(fileURLWithPath: directory, isDirectory: true) }

    private func begin() throws -> Open {
        // An empty path would be that of the folder in which the program happens to run.
        guard !directory.isEmpty else { throw POSIXError(.ENOENT) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = path(0)
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return Open(file: file, size: try file.seekToEnd())
    }

    private func rotate() throws {
        for number in stride(from: kept - 1, through: 0, by: -1) {
            let isLast = number == kept - 1
            let result = isLast ? unlink(path(number)) : rename(path(number), path(number + 1))
            guard result == 0 || errno == ENOENT else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    private func path(_ number: Int) -> String {
        folder.appendingPathComponent(number == 0 ? Self.name : "\(Self.name).\(number)").path
    }
}
