import DocumentValues
import Foundation
import Synchronization

/// The rows of a query, in their order.
///
/// They are read one after the other as the caller requests them, so a million of them take no more memory than a few. They
/// show the database at the moment of ``Query/execute()``, without later saves. They can be read once, by a loop over it or,
/// in asynchronous code, over its ``rows``.
///
/// If a document makes the query fail, ``Query/execute()`` throws. The rows may still end too early: if the disk fails,
/// the file is damaged, the database is closed, a value that the query makes is too large, or the time is over. Then
/// ``readAll()``, ``rows`` and ``data(as:dataKey:)`` throw, ``allResults()`` is empty, and after a loop ``error`` has the
/// reason.
public final class ResultSet: Sequence, IteratorProtocol, Sendable {
    private struct State {
        /// `nil` if all rows have been read.
        var reader: RowReader?
        var rows: ArraySlice<ResultRow>
        /// The number of rows that are read at once. It grows each time, since a caller that needs only few rows stops
        /// after the first.
        var portion: Int
        var failure: (any Error)?
        /// Whether all rows were returned.
        var hasEnded = false

        mutating func end(because error: any Error) {
            LibraryLog.query.error("A query's results end too early: \(error)")
            (failure, reader) = (error, nil)
        }

        /// After an error of a decoder the caller may go on with the remaining rows, which are not checked yet. Checks
        /// them, and ends the results before the first damaged row.
        mutating func endBeforeDamage(after error: any Error, columns: ResultColumns) {
            if let error = error as? StoreError, error.code == .corruptData {
                rows = []
                return end(because: error)
            }
            for index in rows.indices {
                do { try rows[index].refuseDamage { columns.names[$0] } } catch {
                    rows = rows[..<index]
                    return end(because: error)
                }
            }
        }
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

    /// Why the rows ended before the last one: a ``StoreError`` or a `CancellationError`; `nil` if all rows were read. Also
    /// set if rows are read a second time: run the query again instead.
    public var error: (any Error)? { state.withLock { $0.failure } }

    /// The next row; `nil` at the end.
    public func next() -> Result? {
        nextRow(check: .now).map { Result($0, columns: columns, origin: origin) }
    }

    private func nextRow(check: ResultRow.Check) -> ResultRow? {
        state.withLock { state in
            if state.rows.isEmpty { Self.read(&state, check: check) }
            state.hasEnded = state.rows.isEmpty
            return state.rows.popFirst()
        }
    }

    private static func read(_ state: inout State, check: ResultRow.Check) {
        guard let reader = state.reader else { return }
        do {
            state.rows = try reader.read(state.portion, check: check)[...]
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

    /// As `next()`, but it does not block the thread, and throws the error.
    func nextRow() async throws -> Result? {
        try await row(check: .now).map { Result($0, columns: columns, origin: origin) }
    }

    private func row(check: ResultRow.Check) async throws -> ResultRow? {
        try Task.checkCancellation()
        let next = state.withLock { state -> NextRow in
            if let row = state.rows.popFirst() { return .inMemory(row) }
            return state.reader.map { NextRow.unread($0) } ?? .end
        }
        switch next {
        case .inMemory(let row): return row
        case .unread(let reader):
            let row = try await withTaskCancellationHandler {
                try await reader.calls.read { self.nextRow(check: check) }
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

    /// The results themselves, which continue with the next row.
    public func makeIterator() -> ResultSet {
        noteUse()
        return self
    }

    /// Notes an error for a second loop: it gets no rows, as if the query had found none.
    func noteUse() {
        let isSecond = state.withLock { state -> Bool in
            guard state.hasEnded, state.failure == nil else { return false }
            state.failure = StoreError.enumeratedTwice
            return true
        }
        if isSecond { LibraryLog.query.error(StoreError.enumeratedTwice.description) }
    }

    /// All remaining rows, in memory. None if they could not be read to the last one; then ``error`` has the reason.
    public func allResults() -> [Result] {
        noteUse()
        let rows = Array(IteratorSequence(self))
        return error == nil ? rows : []
    }

    /// All remaining rows, in memory.
    ///
    /// - Throws: ``StoreError``, if they could not be read to the last one: `.timedOut` after ``Query/timeLimit``, `.notOpen`
    ///   if the database was closed, `.corruptData` for a row that cannot be read; `.unsupported` if the results were gone
    ///   through before.
    public func readAll() throws -> [Result] {
        noteUse()
        let rows = Array(IteratorSequence(self))
        if let error { throw error }
        return rows
    }

    /// Decodes all remaining rows, such as `results.data(as: Note.self)`. With `dataKey`, it decodes only the value of
    /// that column of each row.
    ///
    /// - Throws: ``StoreError`` `.invalidParameter` if a value does not fit the type, with its path; otherwise the errors of
    ///   ``readAll()``.
    public func data<T: Decodable>(as type: T.Type, dataKey: String? = nil) throws -> [T] {
        noteUse()
        var decoder = RowDecoder<T>(columns, dataKey: dataKey, origin: origin)
        var values: [T] = []
        do {
            while let row = nextRow(check: .decoding) { values.append(try decoder.decode(row)) }
        } catch {
            state.withLock { $0.endBeforeDamage(after: error, columns: columns) }
            throw error
        }
        if let error { throw error }
        return values
    }

    /// As the other, without blocking the thread.
    func data<T: Decodable>(
        as type: T.Type, dataKey: String?, isolation: isolated (any Actor)?
    ) async throws -> [T] {
        noteUse()
        var decoder = RowDecoder<T>(columns, dataKey: dataKey, origin: origin)
        var values: [T] = []
        while let row = try await row(check: .decoding) {
            do { values.append(try decoder.decode(row)) } catch {
                state.withLock { $0.endBeforeDamage(after: error, columns: columns) }
                throw error
            }
        }
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
