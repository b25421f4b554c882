import GRDB

/// One state of the database, read from a connection: a transaction of it, or a part of one.
struct SQLiteReader: StoreReader {
    let db: Database

    var documents: any DocumentRows { SQLiteDocumentRows(db: db) }
    var branches: any BranchRows { SQLiteBranchRows(db: db) }
    var oldRevisions: any OldRevisionRows { SQLiteOldRevisionRows(db: db) }
    var feed: any FeedRows { SQLiteFeedRows(db: db) }
    var attachments: any AttachmentRows { SQLiteAttachmentRows(db: db) }
    var localDocuments: any LocalDocumentRows { SQLiteLocalDocumentRows(db: db) }
    var principals: any PrincipalRows { SQLitePrincipalRows(db: db) }
    var grants: any GrantRows { SQLiteGrantRows(db: db) }
    var sessions: any SessionRows { SQLiteSessionRows(db: db) }
    var properties: any PropertyRows { SQLitePropertyRows(db: db) }
}
