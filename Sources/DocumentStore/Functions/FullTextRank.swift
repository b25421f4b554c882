import GRDBSQLite

/// How well a document fits what is searched for: for each word and property the hits in this document divided by those in
/// all, added up.
enum FullTextRank {
    typealias API = UnsafePointer<Fts5ExtensionApi>

    static func run(_ api: API?, query: OpaquePointer?, context: OpaquePointer?) {
        guard let api, let query else { return sqlite3_result_null(context) }
        guard let totals = totals(api, query: query) else { return sqlite3_result_error_nomem(context) }
        var rank = 0.0
        for phrase in 0..<totals.hits.count {
            let here = hits(api, query: query, phrase: Int32(phrase))
            for (column, count) in here.enumerated() where count > 0 {
                rank += Double(count) / Double(max(totals.hits[phrase][column], 1))
            }
        }
        sqlite3_result_double(context, rank)
    }

    /// Of each phrase and column; counted once for a statement.
    private final class Totals {
        var hits: [[Int]] = []
        /// The phrase that is being counted.
        var phrase = 0
    }

    private static func totals(_ api: API, query: OpaquePointer) -> Totals? {
        if let kept = api.pointee.xGetAuxdata(query, 0) {
            return Unmanaged<Totals>.fromOpaque(kept).takeUnretainedValue()
        }
        let totals = Totals()
        let pointer = Unmanaged.passUnretained(totals).toOpaque()
        for phrase in 0..<api.pointee.xPhraseCount(query) {
            totals.phrase = Int(phrase)
            totals.hits.append(Array(repeating: 0, count: Int(api.pointee.xColumnCount(query))))
            let code = api.pointee.xQueryPhrase(query, phrase, pointer) { api, row, pointer in
                guard let api, let row, let pointer else { return SQLITE_ERROR }
                let totals = Unmanaged<Totals>.fromOpaque(pointer).takeUnretainedValue()
                for (column, count) in FullTextRank.hits(api, query: row, phrase: 0).enumerated() {
                    totals.hits[totals.phrase][column] += count
                }
                return SQLITE_OK
            }
            guard code == SQLITE_OK else { return nil }
        }
        let kept = Unmanaged.passRetained(totals).toOpaque()
        let code = api.pointee.xSetAuxdata(query, kept) { pointer in
            guard let pointer else { return }
            Unmanaged<Totals>.fromOpaque(pointer).release()
        }
        return code == SQLITE_OK ? totals : nil
    }

    /// How often a phrase is in each column of the present row. The columns have an order, since the sum of floating-point
    /// numbers depends on it.
    private static func hits(_ api: API, query: OpaquePointer, phrase: Int32) -> [Int] {
        var iterator = Fts5PhraseIter()
        var (column, offset): (Int32, Int32) = (-1, -1)
        var hits = Array(repeating: 0, count: Int(api.pointee.xColumnCount(query)))
        guard api.pointee.xPhraseFirst(query, phrase, &iterator, &column, &offset) == SQLITE_OK else { return hits }
        while column >= 0 {
            hits[Int(column)] += 1
            api.pointee.xPhraseNext(query, &iterator, &column, &offset)
        }
        return hits
    }
}
