import DocumentStore
import DocumentValues
import Foundation
import Testing

/// The content of blobs as it is read and compared.
@Suite struct BlobStreamTests {
    private let folder: TestFolder
    private let database: Database
    private let notes: DocumentStore.Collection
    private static let hello = Data("hello".utf8)

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        notes = try database.defaultCollection()
    }

    private func stored(_ data: Data, type: String = "text/plain") throws -> Blob {
        try notes.put("a", ["b": Blob(contentType: type, data: data)])
        return try #require(try notes.document(id: "a")?.blob(forKey: "b"))
    }

    private static func read(_ stream: InputStream, portion: Int = 1_000) -> (bytes: Data, last: Int) {
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: portion)
        while true {
            let count = stream.read(&buffer, maxLength: portion)
            guard count > 0 else { return (bytes, count) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    // MARK: Streams

    @Test(arguments: [0, 1, 5, 65_535, 65_536, 65_537, 200_000]) func aStreamHasTheWholeContent(size: Int) throws {
        let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let blob = try stored(content)
        let stream = try #require(blob.contentStream)
        #expect(stream.streamStatus == .notOpen && !stream.hasBytesAvailable)
        stream.open()
        #expect(stream.hasBytesAvailable == (size > 0))
        let (bytes, last) = Self.read(stream, portion: 777)
        #expect(bytes == content && last == 0 && stream.streamStatus == .atEnd && stream.streamError == nil)
        stream.close()
        #expect(stream.streamStatus == .closed && !stream.hasBytesAvailable)
        #expect(blob.content == content && blob.length == UInt64(size))
    }

    @Test func eachStreamBeginsAtTheBeginning() throws {
        let blob = try stored(Self.hello)
        for _ in 0..<2 {
            let stream = try #require(blob.contentStream)
            stream.open()
            #expect(Self.read(stream, portion: 2).bytes == Self.hello)
            stream.close()
        }
    }

    /// The bytes read until then are not the content; the stream reports that at its end.
    @Test func aDamagedBlobEndsWithAnError() throws {
        let blob = try stored(Self.hello)
        try Data("hellO".utf8).write(to: try #require(folder.blobFiles.first))
        let stream = try #require(blob.contentStream)
        stream.open()
        let (_, last) = Self.read(stream)
        #expect(last == -1 && stream.streamStatus == .error && !stream.hasBytesAvailable)
        #expect((stream.streamError as? StoreError)?.code == .corruptData)
        #expect(blob.content == nil)
        stream.close()
    }

    @Test func aBlobWhoseFileIsGoneHasNoContent() throws {
        let blob = try stored(Self.hello)
        for file in folder.blobFiles { try FileManager.default.removeItem(at: file) }
        #expect(blob.content == nil && blob.contentStream == nil)
        #expect(
            blob.length == 5 && blob.digest == BlobDigest(of: Array(Self.hello)).text
                && blob.contentType == "text/plain")
        #expect(blob == blob)
    }

    @Test func aBlobOfAClosedDatabaseHasNoContent() throws {
        let blob = try stored(Self.hello)
        try database.close()
        #expect(blob.content == nil && blob.contentStream == nil && blob.length == 5)
    }

    @Test func aStreamIsReadOnceWhenItIsSaved() throws {
        let blob = Blob(contentType: "x/y", contentStream: InputStream(data: Self.hello))
        #expect(blob.content == nil && blob.contentStream == nil && blob.length == 0 && blob.digest == nil)
        try notes.put("a", ["b": blob])
        #expect(blob.content == Self.hello && blob.length == 5)
        try notes.put("again", ["b": blob])
        #expect(try notes.document(id: "again")?.blob(forKey: "b")?.content == Self.hello)
    }

    @Test func aFileThatIsGoneWhenItIsSavedIsRefused() throws {
        let file = folder.url.appendingPathComponent("photo")
        try Self.hello.write(to: file)
        let blob = try Blob(contentType: "image/jpeg", fileURL: file)
        #expect(blob.length == 5 && blob.content == Self.hello && blob.contentStream != nil)
        try FileManager.default.removeItem(at: file)
        #expect(blob.content == nil)
        let error = #expect(throws: StoreError.self) { try notes.put("a", ["b": blob]) }
        #expect(error.map { [.ioError, .invalidParameter].contains($0.code) } == true)
        #expect(try notes.document(id: "a") == nil && folder.blobFiles.isEmpty)
        try Self.hello.write(to: file)
        try notes.put("a", ["b": blob])
        #expect(try notes.document(id: "a")?.blob(forKey: "b")?.content == Self.hello)
    }

    /// The length is that of the file as it was saved.
    @Test func aFileThatHasGrownIsSavedAsItIs() throws {
        let file = folder.url.appendingPathComponent("photo")
        try Self.hello.write(to: file)
        let blob = try Blob(contentType: "image/jpeg", fileURL: file)
        try Data("hello, and more".utf8).write(to: file)
        try notes.put("a", ["b": blob])
        #expect(blob.length == 15 && blob.digest == BlobDigest(of: Array("hello, and more".utf8)).text)
    }

    // MARK: Comparing

    @Test func blobsAreComparedByTheirContent() throws {
        let saved = try stored(Self.hello)
        let same = Blob(contentType: "other/type", data: Self.hello)
        let longer = Blob(contentType: "text/plain", data: Self.hello + [0])
        let other = Blob(contentType: "text/plain", data: Data("hallo".utf8))
        #expect(saved == same && same == saved && saved != longer && saved != other && same != other)
        let stream = Blob(contentType: "text/plain", contentStream: InputStream(data: Self.hello))
        #expect(stream != same && stream == stream, "what is in a stream is not known yet")
        #expect(Set([saved, same, longer, other, stream]).count == 4)
    }

    /// A dictionary of another program need not say how long its blob is.
    @Test func equalBlobsAreOneKey() throws {
        let saved = try stored(Self.hello)
        let digest = try #require(saved.digest)
        let json =
            #"{"b":{"@type":"blob","digest":"\#(digest)"},"c":{"@type":"blob","digest":"\#(digest)","length":5}}"#
        let document = try MutableDocument(id: "x", json: json)
        let (short, long) = (try #require(document.blob(forKey: "b")), try #require(document.blob(forKey: "c")))
        #expect(short.length == 0 && long.length == 5 && short == long && short == saved)
        #expect(Set([short, long, saved]).count == 1)
        let unsaved = Blob(contentType: "x", data: Self.hello)
        #expect(Set([saved, unsaved]).count == 1 && saved.hashValue == unsaved.hashValue)
    }

    // MARK: What a document says

    @Test func theDictionarySaysWhatIsKnown() throws {
        let blob = Blob(contentType: "text/plain", data: Self.hello)
        #expect(blob.toJSON() == #"{"@type":"blob","content_type":"text/plain","length":5}"#)
        #expect(Set(blob.properties.keys) == ["@type", "content_type", "length"])
        try database.saveBlob(blob: blob)
        let properties = blob.properties
        #expect(properties["digest"] as? String == blob.digest && properties["length"] as? Int == 5)
        #expect(properties["content_type"] as? String == "text/plain" && properties["@type"] as? String == "blob")
        let empty = Blob(contentType: "a/b", data: Data())
        #expect(empty.toJSON() == #"{"@type":"blob","content_type":"a/b"}"#)
        try database.saveBlob(blob: empty)
        #expect(empty.toJSON().hasSuffix(#""length":0}"#) && empty.content == Data())
    }

    @Test func whatIsABlobSaysSoWithADigest() {
        let digest = BlobDigest(of: [1]).text
        let cases: [([String: Any], Bool)] = [
            (["@type": "blob", "digest": digest], true), (["@type": "blob", "digest": digest, "more": 1], true),
            (["@type": "blob"], false), (["digest": digest], false), (["@type": "image", "digest": digest], false),
            (["@type": "blob", "digest": "sha1-x"], false), (["@type": "blob", "digest": 1], false), ([:], false),
        ]
        for (properties, isBlob) in cases { #expect(Blob.isBlob(properties: properties) == isBlob, "\(properties)") }
    }
}

/// The storage of blobs, as replicators use it.
@Suite struct BlobStorageTests {
    private let folder: TestFolder
    private let storage: any BlobStorage
    private static let hello = Array("hello".utf8)

    init() throws {
        folder = try TestFolder()
        storage = try folder.open().blobStorage()
    }

    @Test func whatIsWrittenInPiecesIsOneBlob() throws {
        let writer = try storage.writer()
        for byte in Self.hello { try writer.write([byte]) }
        try writer.write([UInt8]())
        let metadata = try writer.finish(expecting: BlobDigest(of: Self.hello))
        writer.cancel()
        #expect(metadata.length == 5 && metadata.digest == BlobDigest(of: Self.hello))
        #expect(try storage.read(metadata.digest) == Self.hello && storage.contains(metadata.digest))
        #expect(storage.kind == .plain && storage.sealer == nil)
    }

    @Test(arguments: [true, false]) func aWriterThatIsGivenUpLeavesNothing(isCancelled: Bool) throws {
        do {
            let writer = try storage.writer()
            try writer.write(Self.hello)
            if isCancelled { writer.cancel() }
        }
        #expect(try !storage.contains(BlobDigest(of: Self.hello)) && folder.blobFiles.isEmpty)
        #expect(!folder.files.contains { $0.path.contains("/incoming/") })
    }

    @Test func aBlobIsWholeInTheLengthThatIsSaid() throws {
        let digest = try storage.store(Self.hello).digest
        #expect(
            try storage.isWhole(BlobMetadata(digest: digest))
                && storage.isWhole(BlobMetadata(digest: digest, length: 5)))
        #expect(try !storage.isWhole(BlobMetadata(digest: digest, length: 4)))
        #expect(try !storage.isWhole(BlobMetadata(digest: BlobDigest(of: [1]))))
        try Data("hell".utf8).write(to: try #require(folder.blobFiles.first))
        #expect(try !storage.isWhole(BlobMetadata(digest: digest, length: 5)), "it was cut off")
        #expect(try storage.length(of: digest) == 4)
    }

    /// The end is reported only where all that came before is what was asked for.
    @Test func aReaderKnowsAtTheEnd() throws {
        let digest = try storage.store(Self.hello).digest
        let reader = try #require(try storage.reader(for: digest))
        #expect(try reader.read(upTo: 3) == Array("hel".utf8) && reader.length == 5)
        #expect(try reader.read(upTo: 3) == Array("lo".utf8) && reader.read(upTo: 3) == nil)
        reader.close()
        try Data("hellx".utf8).write(to: try #require(folder.blobFiles.first))
        let damaged = try #require(try storage.reader(for: digest))
        #expect(try damaged.read(upTo: 100)?.count == 5)
        let error = #expect(throws: StoreError.self) { try damaged.read(upTo: 100) }
        #expect(error?.code == .corruptData && error?.context["blob"] == digest.text)
        #expect(error?.hint?.contains("Restore it from a backup") == true)
        damaged.close()
    }

    @Test func whatIsNotThereIsNothing() throws {
        let digest = BlobDigest(of: [1, 2, 3])
        #expect(
            try storage.length(of: digest) == nil && storage.reader(for: digest) == nil && storage.read(digest) == nil)
        try storage.remove(digest)
        let kept = try storage.store([1]).digest
        let removed = try storage.removeAll(except: [kept], untouchedSince: Date(timeIntervalSinceNow: 60))
        #expect(try removed == 0 && storage.contains(kept))
        #expect(try storage.removeAll(except: [], untouchedSince: Date(timeIntervalSinceNow: 60)) == 1)
        #expect(try !storage.contains(kept))
    }
}
