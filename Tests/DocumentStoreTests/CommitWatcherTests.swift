import Dispatch
import Glibc
import Testing

@testable import DocumentStore

/// Hearing of what other processes commit.
@Suite struct CommitWatcherTests {
    @Test func whatIsUsedUpIsNamed() {
        let codes = [EMFILE, ENFILE, ENOSPC]
        let limits = codes.map { String(FolderNotices.limit(behind: $0).prefix { $0 != "," }) }
        #expect(limits == ["fs.inotify.max_user_instances", "fs.file-max", "fs.inotify.max_user_watches"])
    }

    /// Editors and containers use up the notices that the system has for a person.
    @Test(.timeLimit(.minutes(1))) func theFileIsLookedAtWhereTheSystemHasNoNotices() async {
        let (calls, continuation) = AsyncStream<Bool>.makeStream()
        let watcher = CommitWatcher(nil, queue: DispatchQueue(label: "commit-watcher-test")) {
            continuation.yield(true)
        }
        #expect(await calls.first { $0 } == true)
        withExtendedLifetime(watcher) {}
    }
}
