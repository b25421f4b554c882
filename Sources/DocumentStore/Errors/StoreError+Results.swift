/// Refusals of results of queries, because too many are open.
extension StoreError {
    static func tooManyResults(_ limit: Int) -> StoreError {
        StoreError(
            .busy, message: "More than \(limit) results of queries are being read.",
            hint: """
                Read results to their end, or let go of them. In asynchronous code, 'query.async.execute()' waits for its turn.
                """)
    }

    static func tooManyResults(held: Int, of limit: Int) -> StoreError {
        StoreError(
            .busy,
            message: """
                This task has \(held) open results of queries, and others have the rest of the \(limit) that may be open at once.
                """,
            hint: "Read results to their end, or let go of them, before the next query.")
    }

    static func resultsAreIdle(_ open: Int, for seconds: Int) -> StoreError {
        StoreError(
            .busy,
            message: """
                \(open) results of queries are open, and for \(seconds) seconds none of them was read or let go, while \
                this query waited for its turn.
                """,
            hint: """
                Read results to their end, or let go of them, before you wait for other queries. A task that waits for other tasks \
                should have no result open.
                """)
    }
}
