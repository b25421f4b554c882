/// The error numbers of Couchbase Lite, for code that compares `(error as NSError).code` with them.
public struct CBLError {
    /// The domain of the `NSError`s.
    public static let domain = "CouchbaseLite"

    /// A condition that must always hold does not: an error in the library.
    public static let assertionFailed = 1
    /// The call does nothing on this platform.
    public static let unimplemented = 2
    /// The database is encrypted in a way that is not supported.
    public static let unsupportedEncryption = 3
    /// A text is no id of a revision.
    public static let badRevisionID = 4
    /// A stored revision cannot be read.
    public static let corruptRevisionData = 5
    /// The database or the collection is closed or deleted.
    public static let notOpen = 6
    /// There is no such document, collection or entry.
    public static let notFound = 7
    /// The document was changed elsewhere since it was read.
    public static let conflict = 8
    /// An argument is wrong, or a value that no document can hold.
    public static let invalidParameter = 9
    /// An error for which there is no other number.
    public static let unexpectedError = 10
    /// A file or folder cannot be opened or made.
    public static let cantOpenFile = 11
    /// Reading or writing a file has failed.
    public static let ioError = 12
    /// There is not enough memory.
    public static let memoryError = 13
    /// The database or its folder is read-only.
    public static let notWritable = 14
    /// A file is damaged.
    public static let corruptData = 15
    /// Another process or thread has kept a lock for longer than the time limit.
    public static let busy = 16
    /// The call needs a transaction.
    public static let notInTransaction = 17
    /// A transaction is still open.
    public static let transactionNotClosed = 18
    /// The database does not support the call.
    public static let unsupported = 19
    /// The file is no database, or an encrypted one.
    public static let notADatabaseFile = 20
    /// The file is of another kind than expected.
    public static let wrongFormat = 21
    /// Encrypting or decrypting has failed.
    public static let crypto = 22
    /// A query is wrong.
    public static let invalidQuery = 23
    /// A query needs an index that is not there.
    public static let missingIndex = 24
    /// A query has no such parameter.
    public static let invalidQueryParam = 25
    /// The other side reported an error without a number of its own.
    public static let remoteError = 26
    /// The file is of a version that is no longer read.
    public static let databaseTooOld = 27
    /// The file is of a newer version of the library.
    public static let databaseTooNew = 28
    /// The text is no id of a document: empty, too long, or with a leading underscore.
    public static let badDocID = 29
    /// The file cannot be brought to this version.
    public static let cantUpgradeDatabase = 30

    /// The name that Couchbase Lite for Swift has for ``notWritable``.
    public static let notWriteable = notWritable
    /// The name that Couchbase Lite for Swift has for ``notADatabaseFile``.
    public static let unreadableDatabase = notADatabaseFile
    /// Couchbase Lite's number for a text that is no JSON; the errors here have ``invalidParameter``.
    public static let invalidJSON = 17001
    /// Couchbase Lite's number for a document that does not fit a type; the errors here have ``invalidParameter``.
    public static let decodingError = 18001
    /// Couchbase Lite's number for an object that no document can hold; the errors here have ``invalidParameter``.
    public static let encodingError = 18002

    /// Where the numbers of the network begin.
    public static let networkBase = 5000
    /// The name service does not answer.
    public static let dnsFailure = 5001
    /// There is no host of that name.
    public static let unknownHost = 5002
    /// The other side did not answer in time.
    public static let timeout = 5003
    /// The address is none that a replicator can use.
    public static let invalidURL = 5004
    /// The gateway redirected too often.
    public static let tooManyRedirects = 5005
    /// TLS could not be agreed on, or the certificate is not valid yet.
    public static let tlsHandshakeFailed = 5006
    /// The certificate is not valid any more.
    public static let tlsCertExpired = 5007
    /// The certificate is not the pinned one, or not signed by itself where only such are taken.
    public static let tlsCertUntrusted = 5008
    /// The gateway wants a certificate of the client.
    public static let tlsClientCertRequired = 5009
    /// The gateway refused the certificate of the client.
    public static let tlsClientCertRejected = 5010
    /// The certificate is signed by an authority that is not known, or by itself.
    public static let tlsCertUnknownRoot = 5011
    /// The gateway redirected to an address that a replicator cannot use.
    public static let invalidRedirect = 5012
    /// An error of the network without another number.
    public static let unknown = 5013
    /// The certificate was revoked.
    public static let tlsCertRevoked = 5014
    /// The certificate is for another host.
    public static let tlsCertNameMismatch = 5015
    /// The network was restarted.
    public static let networkReset = 5016
    /// The connection was given up on this side.
    public static let connectionAborted = 5017
    /// The other side broke the connection.
    public static let connectionReset = 5018
    /// Nothing listens at the address.
    public static let connectionRefused = 5019
    /// There is no network.
    public static let networkDown = 5020
    /// No way leads to the network of the address.
    public static let networkUnreachable = 5021
    /// There is no connection.
    public static let notConnected = 5022
    /// The host does not run.
    public static let hostDown = 5023
    /// No way leads to the host.
    public static let hostUnreachable = 5024
    /// This machine does not have the address.
    public static let addressNotAvailable = 5025
    /// The other side has ended the connection while this one was writing.
    public static let brokenPipe = 5026
    /// There is no network interface of that name.
    public static let unknownInterface = 5027

    /// The number that is added to a status of HTTP.
    public static let httpBase = 10000
    /// 401: the name or the password is wrong, or missing.
    public static let httpAuthRequired = 10401
    /// 403: the user may not do it; for a document the gateway gives its reason.
    public static let httpForbidden = 10403
    /// 404: there is no such database, collection or document.
    public static let httpNotFound = 10404
    /// 409: the gateway has another revision.
    public static let httpConflict = 10409
    /// 407: the proxy wants a name and a password.
    public static let httpProxyAuthRequired = 10407
    /// 413: the document or attachment is larger than the gateway takes.
    public static let httpEntityTooLarge = 10413
    /// 418: the gateway refuses for good.
    public static let httpImATeapot = 10418
    /// 500: an error of the gateway.
    public static let httpInternalServerError = 10500
    /// 501: the gateway does not know the request.
    public static let httpNotImplemented = 10501
    /// 503: the gateway is busy or under maintenance; the replicator retries.
    public static let httpServiceUnavailable = 10503

    /// 1000: the connection has ended as it should.
    public static let webSocketNormalClose = 11000
    /// Where the numbers of WebSocket begin.
    public static let webSocketBase = 11000
    /// 1001: the gateway shuts down.
    public static let webSocketGoingAway = 11001
    /// 1002: one side broke the protocol.
    public static let webSocketProtocolError = 11002
    /// 1003: one side cannot read what the other sent.
    public static let webSocketDataError = 11003
    /// 1006: the connection ended without a goodbye.
    public static let webSocketAbnormalClose = 11006
    /// 1007: a message is damaged.
    public static let webSocketBadMessageFormat = 11007
    /// 1008: the gateway does not allow it.
    public static let webSocketPolicyError = 11008
    /// 1009: a message is larger than the other side takes.
    public static let webSocketMessageTooBig = 11009
    /// 1010: an extension is missing.
    public static let webSocketMissingExtension = 11010
    /// 1011: the gateway cannot go on.
    public static let webSocketCantFulfill = 11011
    /// 4001: closed by an application; the replicator retries.
    public static let webSocketCloseUserTransient = 14001
    /// 4002: closed by an application for good.
    public static let webSocketCloseUserPermanent = 14002
}
