import DocumentQuery
import Foundation
import GRDB

extension StoreCore {
    /// Where the rules for words are others than when the full-text indexes were made: what is deleted from them has to be
    /// the same words.
    static func makeFullTextAgain(_ db: GRDB.Database) throws {
        let current = Array("\(WordSettings.version)".utf8)
        guard try property("full_text_words", in: db, else: { current }) != current else { return }
        for collection in try CollectionCatalog.all(db) {
            let maker = IndexMaker(db: db, collection: collection.id, collectionName: collection.name)
            for index in try IndexCatalog.all(of: collection.id, db) { try maker.makeFullTextAgain(index) }
        }
        try db.execute(sql: "UPDATE properties SET value = ? WHERE key = 'full_text_words'", arguments: [Data(current)])
    }
}
