import DocumentQuery
import GRDBSQLite

/// How well a document fits a search: the sum, over each word and property, of the hits in this document divided by those
/// in all documents.
enum FullTextRank {
    typealias API = UnsafePointer<Fts5ExtensionApi>

    static func run(_ api: API?, query: OpaquePointer?, context: OpaquePointer?) {
        guard let api, let query, let work = api.pointee.xUserData(query) else { return sqlite3_result_null(context) }
        let meter = Unmanaged<ConnectionWork>.fromOpaque(work).takeUnretainedValue().meter
        var totals: Totals?
        var code = find(&totals, api: api, query: query, meter: meter)
        var rank = 0.0
        for (phrase, all) in (totals?.hits ?? []).enumerated() where code == SQLITE_OK {
            var here = all.map { _ in 0 }
            code = addHits(to: &here, api, query: query, phrase: Int32(phrase), meter: meter)
            for (column, count) in here.enumerated() where count > 0 {
                rank += Double(count) / Double(max(all[column], 1))
            }
        }
        switch code {
        case SQLITE_OK: sqlite3_result_double(context, rank)
        case SQLITE_TOOBIG: SQLResult(context: context).fail("RANK takes too long: too many words are too frequent")
        default: sqlite3_result_error_code(context, code)
        }
    }

    /// Of each phrase and column; counted once for a statement.
    private final class Totals {
        let meter: WorkMeter
        var hits: [[Int]] = []
        /// The phrase that is being counted.
        var phrase = 0
        /// Of all phrases so far.
        var count = 0

        init(_ meter: WorkMeter) { self.meter = meter }
    }

    private static func find(
        _ found: inout Totals?, api: API, query: OpaquePointer, meter: WorkMeter
    ) -> Int32 {
        if let kept = api.pointee.xGetAuxdata(query, 0) {
            found = Unmanaged<Totals>.fromOpaque(kept).takeUnretainedValue()
            return SQLITE_OK
        }
        let totals = Totals(meter)
        let pointer = Unmanaged.passUnretained(totals).toOpaque()
        for phrase in 0..<api.pointee.xPhraseCount(query) {
            totals.phrase = Int(phrase)
            totals.hits.append(Array(repeating: 0, count: Int(api.pointee.xColumnCount(query))))
            let code = api.pointee.xQueryPhrase(query, phrase, pointer) { api, row, pointer in
                guard let api, let row, let pointer else { return SQLITE_ERROR }
                let totals = Unmanaged<Totals>.fromOpaque(pointer).takeUnretainedValue()
                return FullTextRank.addHits(
                    to: &totals.hits[totals.phrase], api, query: row, phrase: 0, meter: totals.meter,
                    count: &totals.count)
            }
            guard code == SQLITE_OK else { return code }
        }
        let kept = Unmanaged.passRetained(totals).toOpaque()
        let code = api.pointee.xSetAuxdata(query, kept) { pointer in
            guard let pointer else { return }
            Unmanaged<Totals>.fromOpaque(pointer).release()
        }
        if code == SQLITE_OK { found = totals }
        return code
    }

    /// How often a phrase is in each column of the present row. The columns have an order, since the sum of floating-point
    /// numbers depends on it.
    ///
    /// - Parameter count: grows by each hit, and has a limit.
    private static func addHits(
        to hits: inout [Int], _ api: API, query: OpaquePointer, phrase: Int32, meter: WorkMeter, count: inout Int
    ) -> Int32 {
        var iterator = Fts5PhraseIter()
        var (column, offset): (Int32, Int32) = (-1, -1)
        let code = api.pointee.xPhraseFirst(query, phrase, &iterator, &column, &offset)
        guard code == SQLITE_OK else { return code }
        while column >= 0 {
            // The number of the column comes from the file, which may be damaged.
            guard hits.indices.contains(Int(column)) else { return SQLITE_CORRUPT }
            hits[Int(column)] += 1
            count += 1
            guard count <= QueryLimits.rankedHits else { return SQLITE_TOOBIG }
            do { try meter.count(QueryLimits.unitsOfHit) } catch { return SQLITE_INTERRUPT }
            api.pointee.xPhraseNext(query, &iterator, &column, &offset)
        }
        return SQLITE_OK
    }

    private static func addHits(
        to hits: inout [Int], _ api: API, query: OpaquePointer, phrase: Int32, meter: WorkMeter
    ) -> Int32 {
        var count = 0
        return addHits(to: &hits, api, query: query, phrase: phrase, meter: meter, count: &count)
    }
}
