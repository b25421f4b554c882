import DocumentStore
import DocumentValues
import FormLogic
import Foundation

/// Moves parts that are too long for a definition beside it: long lists and files become blobs, through the folder's vault.
struct StoredParts {
    private let database: Database

    init(of database: Database) { self.database = database }

    /// - Returns: the form with blobs instead of long lists and of the contents of its files.
    /// - Throws: `FormLibraryError` where a gateway would not take the form; `StoreError` where nothing can be stored.
    func store(_ upload: FormUpload) throws -> Form {
        var form = upload.form
        try storeFiles(upload.files, of: &form)
        for index in form.lists.indices where form.lists[index].choices.count > FormLimits.choicesInDefinition {
            try storeList(at: index, of: &form)
        }
        try shorten(&form)
        let count = form.files.count { $0.blob != nil } + form.lists.count { $0.isStored }
        guard count <= FormLibraryLimits.files else {
            throw FormLibraryError(.manyFiles(count), form: form.id.text)
        }
        return form
    }

    private func storeFiles(_ files: [Name: [UInt8]], of form: inout Form) throws {
        for index in form.files.indices {
            let file = form.files[index]
            guard let bytes = files[file.name] else { continue }
            guard !bytes.isEmpty else { throw FormLibraryError(.emptyFile(file.name.text), form: form.id.text) }
            guard bytes.count <= FormLibraryLimits.file else {
                throw FormLibraryError(.largeFile(file.name.text), form: form.id.text)
            }
            form.files[index].blob = try blob(bytes, type: file.contentType)
        }
    }

    private func storeList(at index: Int, of form: inout Form) throws {
        let choices = form.lists[index].choices.map { choice -> JSONValue in
            var choice = choice
            // The same list further down in its sheet is the same list.
            choice.sourceRow = nil
            return .object(choice.object)
        }
        let bytes = JSONWriter(sortsKeys: true).bytes(.array(choices))
        guard bytes.count <= FormLibraryLimits.file else {
            throw FormLibraryError(.largeFile(form.lists[index].name.text), form: form.id.text)
        }
        form.lists[index].content = .blob(try blob(bytes, type: "application/json"))
    }

    /// Moves the longest lists, until the rest is what a gateway takes.
    ///
    /// - Throws: `FormLibraryError` where the questions alone are more than that.
    private func shorten(_ form: inout Form) throws {
        var size = FormSize(form)
        guard size.excess != nil else { return }
        let lists = form.lists.enumerated().filter { $0.element.choices.count > 1 }
            .map { (index: $0.offset, size: FormSize($0.element)) }
            .sorted { ($1.size.bytes, $0.index) < ($0.size.bytes, $1.index) }
        for list in lists {
            try storeList(at: list.index, of: &form)
            size.remove(list.size)
            if size.excess == nil { break }
        }
        if let (count, limit, unit) = FormSize(form).excess {
            throw FormLibraryError(.large(count, limit: limit, unit: unit), form: form.id.text)
        }
    }

    private func blob(_ bytes: [UInt8], type: String) throws -> BlobMetadata {
        var metadata = try database.blobStorage().store(bytes)
        metadata.contentType = type
        return metadata
    }
}

extension ChoiceList {
    /// Whether its choices are kept beside the definition.
    var isStored: Bool {
        if case .blob = content { true } else { false }
    }
}

extension FormFile {
    fileprivate var contentType: String {
        switch kind {
        case .csv: return "text/csv"
        case .xml: return "application/xml"
        case .geojson: return "application/geo+json"
        case .media:
            let ending = name.text.split(atByte: ".").last.map { $0.lowercased() } ?? ""
            return Self.mediaTypes[Name(ending)] ?? "application/octet-stream"
        }
    }

    private static let mediaTypes: [Name: String] = [
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "svg": "image/svg+xml",
        "webp": "image/webp", "mp3": "audio/mpeg", "wav": "audio/wav", "ogg": "audio/ogg", "mp4": "video/mp4",
        "webm": "video/webm", "3gp": "video/3gpp",
    ]
}
