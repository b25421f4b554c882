import CZip
import DocumentValues

/// Packs parts into an archive in memory; the same parts give the same bytes.
enum ZipWriter {
    /// - Throws: `FormFileError` with the reason that libzip gives.
    static func archive(_ parts: [(name: String, content: String)], file: String) throws(FormFileError) -> [UInt8] {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let source = zip_source_buffer_create(nil, 0, 0, &error) else { throw failure(&error, file: file) }
        // Our own reference: closing the archive releases the other.
        zip_source_keep(source)
        defer { zip_source_free(source) }
        guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, &error) else {
            zip_source_free(source)
            throw failure(&error, file: file)
        }
        // libzip reads the contents when it closes the archive.
        var buffers: [UnsafeMutableRawBufferPointer] = []
        defer { for buffer in buffers { buffer.deallocate() } }
        for part in parts {
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(1, part.content.utf8.count), alignment: 1)
            buffers.append(buffer)
            buffer.copyBytes(from: part.content.utf8)
            guard add(buffer, count: part.content.utf8.count, named: part.name, to: archive) else {
                let detail = String(cString: zip_strerror(archive))
                zip_discard(archive)
                throw FormFileError(.damagedArchive(detail), file: file)
            }
        }
        guard zip_close(archive) == 0 else {
            let detail = String(cString: zip_strerror(archive))
            zip_discard(archive)
            throw FormFileError(.damagedArchive(detail), file: file)
        }
        return try content(of: source, file: file)
    }

    private static func add(
        _ buffer: UnsafeMutableRawBufferPointer, count: Int, named name: String, to archive: OpaquePointer
    ) -> Bool {
        guard let source = zip_source_buffer(archive, buffer.baseAddress, zip_uint64_t(count), 0) else { return false }
        let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            return false
        }
        // 1980-01-01, the first day that an archive knows.
        return zip_file_set_dostime(archive, zip_uint64_t(index), 0, 0x21, 0) == 0
    }

    private static func content(of source: OpaquePointer, file: String) throws(FormFileError) -> [UInt8] {
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_source_stat(source, &status) == 0, zip_source_open(source) == 0 else {
            throw FormFileError(.damagedArchive("it cannot be read back"), file: file)
        }
        defer { zip_source_close(source) }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let count = zip_source_read(source, &bytes, zip_uint64_t(bytes.count))
        guard count == Int64(bytes.count) else {
            throw FormFileError(.damagedArchive("it cannot be read back"), file: file)
        }
        return bytes
    }

    private static func failure(_ error: inout zip_error_t, file: String) -> FormFileError {
        FormFileError(.damagedArchive(String(cString: zip_error_strerror(&error))), file: file)
    }
}
