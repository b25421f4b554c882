/// Writes messages to a file in a folder. A file that has grown to its size is rotated: it is kept under another name,
/// and a new one begun.
public struct FileLogSink: Sendable {
    /// 2, the one that is being written among them.
    public static let defaultMaxKeptFiles = 2
    /// Half a megabyte, in bytes.
    public static let defaultMaxFileSize: UInt64 = 524_288

    /// Has no effect here, where the files are always plain text.
    public static let defaultUsePlainText = false

    /// Messages below this level are not written.
    public let level: LogLevel
    /// Is made when it is missing, for its owner alone. Where it cannot be written, or is empty, the console says so.
    public let directory: String
    /// Here the files are always plain text; kept for programs that say so.
    public let usePlainText: Bool
    /// Files at the most, with the one that is being written.
    public let maxKeptFiles: Int
    /// Bytes after which a new file begins.
    public let maxFileSize: UInt64

    /// Two files of half a megabyte by default.
    public init(
        level: LogLevel, directory: String, usePlainText: Bool = false,
        maxKeptFiles: Int = FileLogSink.defaultMaxKeptFiles, maxFileSize: UInt64 = FileLogSink.defaultMaxFileSize
    ) {
        self.level = level
        self.directory = directory
        self.usePlainText = usePlainText
        self.maxKeptFiles = maxKeptFiles
        self.maxFileSize = maxFileSize
    }

    func wants(_ level: LogLevel) -> Bool { self.level != .none && level >= self.level }

    func hasSameFiles(as other: FileLogSink?) -> Bool {
        guard let other else { return false }
        return directory == other.directory && maxKeptFiles == other.maxKeptFiles && maxFileSize == other.maxFileSize
    }
}
