import FieldSync

extension ProgressMeter {
    /// `KB, photo 3 of 17 [####      ]  24 % 1,204 of 5,000`.
    func update(_ photos: PhotoProgress) {
        let hasTotal = photos.totalBytes >= photos.bytes
        update(
            "KB, photo \(photos.count.grouped) of \(max(photos.count, photos.total).grouped)",
            completed: photos.bytes / 1_024, total: hasTotal ? photos.totalBytes / 1_024 : nil)
    }
}
