import Synchronization

/// The newest rows of a channel, read once for all feeds that follow it: a commit wakes all of them, and each wants the same
/// few rows. They are read in place, and kept until the next commit. Which of them a reader gets, and how, is decided by each
/// feed for itself.
final class SharedNews: Sendable {
    private struct Page: Sendable {
        /// The commits before it was read.
        let commits: UInt64
        let part: ChannelPart
        let found: ChannelPage?
    }

    private let reader: any InPlaceReader
    private let commits: CommitEvents
    private let last = Mutex<Page?>(nil)

    init(from reader: any InPlaceReader, commits: CommitEvents) {
        self.reader = reader
        self.commits = commits
    }

    /// As `InPlaceReader.page` does.
    func page(_ part: ChannelPart) throws -> ReadInPlace<ChannelPage?> {
        // Before the rows, so that a commit in between makes them old.
        let count = commits.count
        if let known = last.withLock({ $0 }), known.commits == count, known.part == part { return .found(known.found) }
        let read = try reader.page(part)
        if case .found(let page) = read { last.withLock { $0 = Page(commits: count, part: part, found: page) } }
        return read
    }
}
