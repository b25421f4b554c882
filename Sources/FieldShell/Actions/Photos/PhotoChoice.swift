import DocumentValues
import FieldModels
import FieldRecords

/// Finds the photo that a person means among those of a record.
struct PhotoChoice {
    let session: ShellSession
    let photos: [Photo]
    let reference: RecordReference

    /// By the number that it was shown under, its name or a beginning of that; without any the only one.
    func choose(_ text: String?) throws(UsageError) -> Photo {
        guard !photos.isEmpty else { throw UsageError("The \(reference.kind.rawValue) has no photos.") }
        guard let text else {
            if photos.count == 1 { return photos[0] }
            throw UsageError(
                "Say which of the \(photos.count) photos.", hint: "See them: photo list \(reference.shortID)")
        }
        if let exact = photos.first(where: { $0.name.utf8.elementsEqual(text.utf8) }) { return exact }
        if let number = Int(text), let photo = try numbered(number) { return photo }
        let name = try CommandParser.choose(
            text, among: photos.map(\.name), what: "photo", hint: "See them: photo list \(reference.shortID)")
        return photos.first { $0.name.isExactly(name) } ?? photos[0]
    }

    /// A sync, or the last command, may have taken photos away since they were shown: a number stays the photo's it was.
    private func numbered(_ number: Int) throws(UsageError) -> Photo? {
        let shown = session.shown.photos[reference] ?? photos
        guard shown.indices.contains(number - 1) else { return nil }
        let wanted = shown[number - 1]
        guard let photo = photos.first(where: { $0 == wanted }) ?? photos.first(where: { $0.isPicture(of: wanted) })
        else {
            throw UsageError(
                "Photo \(number) was \(wanted.name), which is not there any more.",
                hint: "See them: photo list \(reference.shortID)")
        }
        return photo
    }

    /// A photo that a sync has changed since the list must be looked at before it is replaced.
    func checkIsAsShown(_ photo: Photo) throws(UsageError) {
        guard let shown = session.shown.photos[reference], !shown.contains(photo) else { return }
        let old = shown.first { $0.isPicture(of: photo) } ?? shown.first { $0.name.isExactly(photo.name) }
        guard let old else { return }
        throw UsageError(
            "\(old.name) has changed since you looked at it. Nothing was done.",
            hint: "See what is there now: photo list \(reference.shortID)")
    }

    /// `photo caption 1 2`: the text was forgotten.
    func checkHasText(_ request: PhotoRequest) throws(UsageError) {
        guard request.photo == nil, let target = request.target,
            Int(target).map((1...max(1, photos.count)).contains) == true
                || photos.contains(where: { $0.name.isExactly(target) })
        else { return }
        throw UsageError(
            "Say what photo \(target.printableLine) shows: "
                + "photo caption \(reference.shortID) \(LineText.quoted(target.printableLine)) TEXT")
    }
}

extension Photo {
    /// The same file, under another name or caption perhaps.
    fileprivate func isPicture(of other: Photo) -> Bool {
        blob.digest == other.blob.digest && attachedAt == other.attachedAt
    }
}
