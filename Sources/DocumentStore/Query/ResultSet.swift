import DocumentValues
import Foundation
import Synchronization

/// The rows of a query, in their order.
///
/// They are read while they are asked for, so a million of them take no more memory than a few; what is seen is the
/// database at the moment of ``Query/execute()``, whatever is saved meanwhile. It can be gone through once, by a loop over it
/// or, in asynchronous code, over its ``rows``.
///
/// What a document makes the query fail with is thrown by ``Query/execute()``. The rows may still end too early, where the
/// disk fails or is damaged, the database is closed or the time is over: ``readAll()``, ``rows`` and ``data(as:dataKey:)``
/// throw then, ``allResults()`` is empty, and after a loop ``error`` says so.
public final class ResultSet: Sequence, IteratorProtocol, Sendable {
    private struct State {
        /// `nil` where all rows are here already.
        var reader: RowReader?
        var rows: ArraySlice<ResultRow>
        /// How many rows are read at once: more each time, as those who want few take the first ones only.
        var portion: Int
        var failure: (any Error)?
        /// Somebody has been given all rows.
        var hasEnded = false
    }

    private let columns: ResultColumns
    private let origin: ValueOrigin
    private let state: Mutex<State>

    init(_ names: [String], rows: [ResultRow], reader: RowReader?, origin: ValueOrigin) {
        columns = ResultColumns(names)
        self.origin = origin
        state = Mutex(State(reader: reader, rows: rows[...], portion: StoreLimits.firstRows * 2))
    }

    /// The names of the columns.
    public var columnNames: [String] { columns.names }

    /// Why the rows ended before the last one: a ``StoreError`` or a `CancellationError`; `nil` where they did not. Also set
    /// where somebody goes through rows again that have come to their end: run the query again for that.
    public var error: (any Error)? { state.withLock { $0.failure } }

    /// The next row; `nil` at the end.
    public func next() -> Result? {
        let row = state.withLock { state -> ResultRow? in
            if state.rows.isEmpty { Self.read(&state) }
            state.hasEnded = state.rows.isEmpty
            return state.rows.popFirst()
        }
        return row.map { Result($0, columns: columns, origin: origin) }
    }

    private static func read(_ state: inout State) {
        guard let reader = state.reader else { return }
        do {
            state.rows = try reader.read(state.portion)[...]
            state.portion = Swift.min(state.portion * 2, StoreLimits.rowPortion)
        } catch let error as CancellationError {
            state.failure = error
        } catch {
            LibraryLog.query.error("A query's results end too early: \(error)")
            state.failure = error
        }
        if state.rows.isEmpty { state.reader = nil }
    }

    private enum NextRow {
        case inMemory(ResultRow)
        case unread(RowReader)
        case end
    }

    /// The same as `next()` for who must not wait on this thread; and an error is thrown.
    func nextRow() async throws -> Result? {
        try Task.checkCancellation()
        let next = state.withLock { state -> NextRow in
            if let row = state.rows.popFirst() { return .inMemory(row) }
            return state.reader.map { NextRow.unread($0) } ?? .end
        }
        switch next {
        case .inMemory(let row): return Result(row, columns: columns, origin: origin)
        case .unread(let reader):
            let row = try await withTaskCancellationHandler {
                try await reader.calls.read { self.next() }
            } onCancel: {
                reader.interrupt()
            }
            if let row { return row }
        case .end: break
        }
        if let error { throw error }
        state.withLock { $0.hasEnded = true }
        return nil
    }

    /// Goes on where the results are.
    public func makeIterator() -> ResultSet {
        noteUse()
        return self
    }

    /// That there is nothing the second time looks as if there were no rows.
    func noteUse() {
        let isSecond = state.withLock { state -> Bool in
            guard state.hasEnded, state.failure == nil else { return false }
            state.failure = StoreError.enumeratedTwice
            return true
        }
        if isSecond { LibraryLog.query.error(StoreError.enumeratedTwice.description) }
    }

    /// All rows that are left, in memory; none where they could not be read to the last one, which ``error`` says then.
    public func allResults() -> [Result] {
        noteUse()
        let rows = Array(IteratorSequence(self))
        return error == nil ? rows : []
    }

    /// All rows that are left, in memory. Throws why they could not be read to the last one.
    public func readAll() throws -> [Result] {
        noteUse()
        let rows = Array(IteratorSequence(self))
        if let error { throw error }
        return rows
    }

    /// Decodes all rows that are left, or with `dataKey` the value of that column of each: `results.data(as: Note.self)`.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` where a value does not fit the type, with its path; or why the rows
    ///   could not be read.
    public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> [T] {
        noteUse()
        var decoder = DocumentDecoder(origin)
        var values: [T] = []
        while let row = next() {
            values.append(try row.data(as: type, dataKey: dataKey, with: &decoder))
        }
        if let error { throw error }
        return values
    }
}

extension StoreError {
    static var enumeratedTwice: StoreError {
        StoreError(
            .unsupported,
            message: "This result set has already been enumerated. Please re-execute the original query.")
    }
}
