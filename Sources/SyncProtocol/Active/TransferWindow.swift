/// How many revisions and blobs a session has under way at a time, in each direction.
///
/// A connection that is lost loses all revisions and blobs that have come in part. If the line breaks after every hundred
/// kilobytes, and ten large revisions come side by side, none of them ever arrives. So a session may begin with a narrow
/// window, in the end with one transfer at a time. Each transfer that arrives widens it by one, as far as the line bears.
package struct TransferWindow: Sendable, Hashable {
    /// Transfers at a time; `nil` for as many as the other limits allow.
    private var limit: Int?

    /// As many transfers as the other limits allow.
    package static let open = TransferWindow()

    /// For the session after one that got nothing across.
    package var narrowed: TransferWindow {
        let next = limit.map { max(1, $0 / ActiveLimits.narrowing) } ?? ActiveLimits.narrowWindow
        return TransferWindow(limit: next)
    }

    private init(limit: Int? = nil) { self.limit = limit }

    /// Whether another transfer may begin beside so many.
    func allows(besides count: Int) -> Bool { limit.map { count < $0 } ?? true }

    /// Rows of one message of the gateway: all revisions of a message are requested together.
    var rowsPerBatch: Int {
        guard let limit else { return SyncLimits.rowsPerBatch }
        return limit == 1 ? 1 : ActiveLimits.narrowBatch
    }

    /// A revision or a blob has arrived.
    mutating func arrived() {
        guard let limit else { return }
        self.limit = limit < ActiveLimits.widestWindow ? limit + 1 : nil
    }
}
