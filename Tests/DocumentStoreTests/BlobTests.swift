import DocumentStore
import DocumentValues
import Foundation
import Synchronization
import Testing

@Suite struct BlobTests {
    let folder: TestFolder
    let database: Database
    let collection: Collection
    static let hello = Data("hello".utf8)

    init() throws {
        folder = try TestFolder()
        database = try folder.open()
        collection = try database.defaultCollection()
    }

    private var blobFiles: [URL] { folder.blobFiles }

    @Test func aBlobIsStoredWithItsDocument() throws {
        let blob = Blob(contentType: "text/plain", data: Self.hello)
        #expect(blob.digest == nil && blob.length == 5 && blob.content == Self.hello)
        try collection.save(document: MutableDocument(id: "a").setBlob(blob, forKey: "note"))
        #expect(blob.digest == "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=")
        let read = try #require(try collection.document(id: "a")?.blob(forKey: "note"))
        #expect(read == blob && read.content == Self.hello && read.contentType == "text/plain" && read.length == 5)
        #expect(
            try collection.document(id: "a")?.toJSON()
                == #"{"note":{"@type":"blob","content_type":"text/plain","digest":"sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=","length":5}}"#
        )
    }

    /// No gateway takes a blob that is not as long as its document says.
    @Test(arguments: [nil, 3]) func theLengthIsThatOfTheContent(said: Int?) throws {
        let blob = Blob(contentType: "text/plain", data: Self.hello)
        try database.saveBlob(blob: blob)
        var properties: [String: Any] = ["@type": "blob", "digest": try #require(blob.digest)]
        properties["length"] = said
        let found = try #require(try database.getBlob(properties: properties))
        #expect(found.length == 5)
        try collection.save(document: MutableDocument(id: "a").setBlob(found, forKey: "b"))
        #expect(try collection.document(id: "a")?.toJSON().contains(#""length":5"#) == true)
        let plain = MutableDocument(id: "b").setValue(properties, forKey: "b")
        if said == nil {
            try collection.save(document: plain)
        } else {
            #expect(performing: { try collection.save(document: plain) }, throws: isCode(.invalidParameter))
        }
        // Who has read it as a blob knows how long it is.
        let length = said.map { #","length":\#($0)"# } ?? ""
        let json = try #require(blob.digest.map { #"{"b":{"@type":"blob","digest":"\#($0)"\#(length)}}"# })
        let read = try MutableDocument(id: "c", json: json)
        #expect(read.blob(forKey: "b") != nil)
        try collection.save(document: read)
        #expect(try collection.document(id: "c")?.toJSON().contains(#""length":5"#) == true)
    }

    /// The photo would be nowhere in the second database, and no push could ever send the document.
    @Test func aContainerBringsNoBlobOfAnotherDatabaseAlong() throws {
        let document = MutableDocument(id: "a")
        document.setArray(MutableArrayObject(data: [Blob(contentType: "x", data: Self.hello)]), forKey: "photos")
        try collection.save(document: document)
        let photos = try #require(try collection.document(id: "a")?.array(forKey: "photos"))
        let folder = try TestFolder()
        let other = try folder.open().defaultCollection()
        let copy = MutableDocument(id: "a").setArray(photos, forKey: "photos")
        #expect(performing: { try other.save(document: copy) }, throws: isCode(.missingBlob))
        #expect(try other.document(id: "a") == nil)
    }

    /// Its photos went with it.
    @Test func whatWasPurgedMeanwhileIsNotSavedWithoutItsBlobs() throws {
        try collection.save(
            document: MutableDocument(id: "a").setBlob(Blob(contentType: "x", data: Self.hello), forKey: "photo"))
        let open = try #require(try collection.document(id: "a")?.toMutable())
        try collection.purge(id: "a")
        for file in blobFiles { try FileManager.default.removeItem(at: file) }
        #expect(performing: { try collection.save(document: open) }, throws: isCode(.missingBlob))
        try database.performMaintenance(type: .integrityCheck)
    }

    /// What is stored refers to it already: other members can still be changed.
    @Test func aBlobThatIsLostKeepsNobodyFromEditing() throws {
        try collection.save(
            document: MutableDocument(id: "a").setBlob(Blob(contentType: "x", data: Self.hello), forKey: "photo"))
        for file in blobFiles { try FileManager.default.removeItem(at: file) }
        let open = try #require(try collection.document(id: "a")?.toMutable()).setInt(1, forKey: "n")
        try collection.save(document: open)
        #expect(try collection.document(id: "a")?.int(forKey: "n") == 1)
    }

    @Test func filesAndStreamsAreBlobsToo() throws {
        let file = folder.url.appendingPathComponent("photo.jpg")
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try content.write(to: file)
        let document = MutableDocument(id: "a")
        document.setBlob(try Blob(contentType: "image/jpeg", fileURL: file), forKey: "file")
        document.setBlob(Blob(contentType: "image/jpeg", contentStream: InputStream(data: content)), forKey: "stream")
        try collection.save(document: document)
        let read = try #require(try collection.document(id: "a"))
        #expect(read.blob(forKey: "file") == read.blob(forKey: "stream"))
        #expect(read.blob(forKey: "file")?.content == content && read.blob(forKey: "stream")?.length == 200_000)
        #expect(blobFiles.count == 1, "equal content is stored once")
        #expect(throws: StoreError.self) {
            try Blob(contentType: "x", fileURL: folder.url.appendingPathComponent("missing"))
        }
        #expect(throws: StoreError.self) { try Blob(contentType: "x", fileURL: URL(string: "https://example.com")!) }
        let pipe = folder.url.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for url in [pipe, folder.url, URL(fileURLWithPath: "/dev/zero")] {
            #expect(performing: { try Blob(contentType: "x", fileURL: url) }, throws: isCode(.invalidParameter))
        }
    }

    /// A stream of the application's own that shows how far its blob has come.
    private final class LookingStream: InputStream {
        final class Shown: Sendable {
            let blob = Mutex<Blob?>(nil)
        }

        private let shown: Shown
        private var rest = 3

        init(_ shown: Shown) {
            self.shown = shown
            super.init(data: Data())
        }

        override func open() {}
        override func close() {}
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let blob = shown.blob.withLock { $0 }
            #expect(blob?.length == 0 && blob?.digest == nil && blob?.content == nil)
            guard rest > 0 else { return 0 }
            rest -= 1
            buffer[0] = 1
            return 1
        }
    }

    @Test func aStreamMayLookAtItsBlob() throws {
        let shown = LookingStream.Shown()
        let blob = Blob(contentType: "x", contentStream: LookingStream(shown))
        shown.blob.withLock { $0 = blob }
        try collection.save(document: MutableDocument(id: "a").setBlob(blob, forKey: "b"))
        #expect(blob.length == 3 && blob.content == Data([1, 1, 1]))
    }

    @Test func aBlobIsReadAsAStream() throws {
        let content = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0) })
        try collection.save(
            document: MutableDocument(id: "a").setBlob(Blob(contentType: "x", data: content), forKey: "b"))
        let stream = try #require(try collection.document(id: "a")?.blob(forKey: "b")?.contentStream)
        stream.open()
        var read = Data()
        var buffer = [UInt8](repeating: 0, count: 999)
        while stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: buffer.count)
            read.append(contentsOf: buffer[..<count])
        }
        #expect(read == content && stream.read(&buffer, maxLength: 1) == 0 && stream.streamStatus == .atEnd)
        stream.close()
    }

    @Test func propertiesOfAUsersOwnStay() throws {
        try collection.put("a", [:])
        let document = try MutableDocument(
            id: "b", json: #"{"b":{"@type":"blob","digest":"sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00=","caption":"roof"}}"#)
        try collection.save(document: document)
        let blob = try #require(try collection.document(id: "b")?.blob(forKey: "b"))
        #expect(blob.properties["caption"] as? String == "roof" && blob.content == nil)
        let copy = try #require(try collection.document(id: "b")).toMutable()
        copy.setBlob(blob, forKey: "c")
        try collection.save(document: copy)
        #expect(try collection.document(id: "b")?["c"].blob?.properties["caption"] as? String == "roof")
    }

    /// Its document was purged by a sync, or because its time had come, while somebody held the blob.
    @Test func aBlobThatWasPurgedIsNotSavedWithoutItsContent() throws {
        try collection.put("a", ["b": Blob(contentType: "text/plain", data: Self.hello)])
        let blob = try #require(try collection.document(id: "a")?.blob(forKey: "b"))
        try collection.purge(id: "a")
        #expect(performing: { try collection.put("b", ["b": blob]) }, throws: isCode(.missingBlob))
        #expect(collection.count == 0)
    }

    @Test func thePropertiesOfADocumentsBlobFindIt() throws {
        try collection.put("a", ["b": Blob(contentType: "text/plain", data: Self.hello)])
        let blob = try #require(try collection.document(id: "a")?.blob(forKey: "b"))
        #expect(try database.getBlob(properties: blob.properties) == blob)
        // In a document they are the blob again.
        try collection.put("c", ["b": blob.properties])
        #expect(try collection.document(id: "c")?.blob(forKey: "b")?.content == Self.hello)
    }

    @Test func blobsWithoutADocumentCanBeStoredAndFound() throws {
        let blob = Blob(contentType: "text/plain", data: Self.hello)
        try database.saveBlob(blob: blob)
        var properties = blob.properties
        #expect(properties[Blob.typeProperty] as? String == Blob.blobType && properties.count == 4)
        #expect(Blob.isBlob(properties: properties))
        #expect(try database.getBlob(properties: properties)?.content == Self.hello)
        properties[Blob.typeProperty] = nil
        #expect(performing: { try database.getBlob(properties: properties) }, throws: isCode(.invalidParameter))
        properties[Blob.typeProperty] = Blob.blobType
        properties[Blob.blobDigestProperty] = BlobDigest(of: [1]).text
        #expect(try database.getBlob(properties: properties) == nil)
        #expect(performing: { try database.getBlob(properties: ["digest": "x"]) }, throws: isCode(.invalidParameter))
    }

    @Test func aBlobOfAnotherDatabaseIsCopiedOnlyWithItsContent() throws {
        let other = try folder.open("other")
        let blob = Blob(contentType: "x", data: Self.hello)
        try other.saveBlob(blob: blob)
        try collection.save(document: MutableDocument(id: "a").setBlob(blob, forKey: "b"))
        #expect(try collection.document(id: "a")?.blob(forKey: "b")?.content == Self.hello)

        try other.defaultCollection().save(
            document: MutableDocument(id: "x").setBlob(Blob(contentType: "x", data: Data([9])), forKey: "b"))
        let foreign = try #require(try other.defaultCollection().document(id: "x")?.blob(forKey: "b"))
        let error = #expect(throws: StoreError.self) {
            try collection.save(document: MutableDocument(id: "b").setBlob(foreign, forKey: "b"))
        }
        #expect(
            error?.message
                == "A document contains a blob that was saved to a different database. The save operation cannot complete."
        )
    }

    @Test func purgingADocumentRemovesBlobsThatNothingElseRefersTo() throws {
        for id in ["a", "b"] {
            try collection.save(
                document: MutableDocument(id: id).setBlob(Blob(contentType: "x", data: Self.hello), forKey: "b"))
        }
        let changed = try #require(try collection.document(id: "b")).toMutable()
        changed.setBlob(Blob(contentType: "x", data: Data([1])), forKey: "b")
        try collection.save(document: changed)
        #expect(blobFiles.count == 2)
        try collection.purge(id: "a")
        #expect(blobFiles.count == 2, "the former revision of b still refers to it")
        try collection.purge(id: "b")
        #expect(blobFiles.isEmpty)
    }

    @Test func compactingRemovesWhatNothingRefersTo() throws {
        try database.saveBlob(blob: Blob(contentType: "x", data: Data([1])))
        try collection.save(
            document: MutableDocument(id: "a").setBlob(Blob(contentType: "x", data: Self.hello), forKey: "b"))
        try database.performMaintenance(type: .compact)
        #expect(blobFiles.count == 2, "a young blob's document may be about to be saved")
        for file in blobFiles {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: file.path)
        }
        try database.performMaintenance(type: .compact)
        #expect(blobFiles.count == 1)
        #expect(try collection.document(id: "a")?.blob(forKey: "b")?.content == Self.hello)
    }

    @Test func damageOnTheDiskIsNoticed() throws {
        let storage = try database.blobStorage()
        let digest = try storage.store(Array(Self.hello)).digest
        try Data("hellO".utf8).write(to: try #require(blobFiles.first))
        #expect(performing: { try storage.read(digest) }, throws: isCode(.corruptData))
    }

    @Test func anAnnouncedDigestMustBeRight() throws {
        let storage = try database.blobStorage()
        #expect(
            performing: { try storage.store([1], expecting: BlobDigest(of: [2])) }, throws: isCode(.blobMismatch))
        #expect(try !storage.contains(BlobDigest(of: [1])) && storage.reader(for: BlobDigest(of: [1])) == nil)
        #expect(try storage.store([], expecting: BlobDigest(of: [])).length == 0)
        #expect(try storage.read(BlobDigest(of: [])) == [])
    }
}
