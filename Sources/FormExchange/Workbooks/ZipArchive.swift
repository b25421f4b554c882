import CZip
import DocumentValues

/// The parts of an archive in memory. What an archive says about the sizes of its parts is not relied on.
final class ZipArchive {
    private let archive: OpaquePointer
    private let bytes: UnsafeMutableRawBufferPointer
    private let file: String
    /// Positions by names in lower case, as the packaging of workbooks compares names.
    private var positions: [Name: zip_uint64_t] = [:]
    private var unpacked = 0

    /// - Throws: `FormFileError` where this is no archive, or one with too many parts.
    init(_ content: [UInt8], file: String) throws(FormFileError) {
        self.file = file
        bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, content.count), alignment: 1)
        bytes.copyBytes(from: content)
        archive = try Self.open(bytes, count: content.count, file: file)
        let count = zip_get_num_entries(archive, 0)
        guard count <= FormExchangeLimits.parts else {
            throw FormFileError(
                .tooLarge("the number of its parts", limit: "\(FormExchangeLimits.parts)"), file: file)
        }
        for index in 0..<zip_uint64_t(max(0, count)) {
            guard let name = zip_get_name(archive, index, zip_flags_t(ZIP_FL_ENC_RAW)) else { continue }
            let key = Name(String(cString: name).lowercased())
            if positions[key] == nil { positions[key] = index }
        }
    }

    deinit {
        zip_discard(archive)
        bytes.deallocate()
    }

    private static func open(
        _ bytes: UnsafeMutableRawBufferPointer, count: Int, file: String
    ) throws(FormFileError) -> OpaquePointer {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        if let source = zip_source_buffer_create(bytes.baseAddress, zip_uint64_t(count), 0, &error) {
            if let archive = zip_open_from_source(source, ZIP_RDONLY, &error) { return archive }
            zip_source_free(source)
        }
        let detail = String(cString: zip_error_strerror(&error))
        bytes.deallocate()
        throw FormFileError(.damagedArchive(detail), file: file)
    }

    func contains(_ part: String) -> Bool { positions[Name(part.lowercased())] != nil }

    /// - Throws: `FormFileError` where the part is missing, damaged, sealed or too large.
    func read(_ part: String) throws(FormFileError) -> [UInt8] {
        guard let position = positions[Name(part.lowercased())] else {
            throw FormFileError(.missingPart(part), file: file)
        }
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_stat_index(archive, position, 0, &status) == 0 else { throw damage(part) }
        if status.valid & zip_uint64_t(ZIP_STAT_ENCRYPTION_METHOD) != 0, status.encryption_method != 0 {
            throw FormFileError(.sealedArchive, file: file)
        }
        guard let opened = zip_fopen_index(archive, position, 0) else { throw damage(part) }
        defer { zip_fclose(opened) }
        return try unpack(opened, part: part, packed: Int(clamping: status.comp_size))
    }

    private func unpack(
        _ opened: OpaquePointer, part: String, packed: Int
    ) throws(FormFileError) -> [UInt8] {
        var content: [UInt8] = []
        var portion = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = zip_fread(opened, &portion, zip_uint64_t(portion.count))
            guard count >= 0 else {
                // Such as that its checksum is another one.
                throw FormFileError(.damagedPart(part, String(cString: zip_file_strerror(opened))), file: file)
            }
            if count == 0 { return content }
            content.append(contentsOf: portion[..<Int(count)])
            unpacked += Int(count)
            try check(content.count, of: part, packed: packed)
        }
    }

    private func check(_ size: Int, of part: String, packed: Int) throws(FormFileError) {
        let isBomb =
            size > FormExchangeLimits.ratioFrom && size / FormExchangeLimits.ratio > max(1, packed)
        if isBomb {
            throw FormFileError(
                .tooLarge("the unpacked '\(part)'", limit: "\(FormExchangeLimits.ratio) times its packed size"),
                file: file)
        }
        if size > FormExchangeLimits.part {
            throw FormFileError(
                .tooLarge("the unpacked '\(part)'", limit: "\(FormExchangeLimits.part >> 20) MB"), file: file)
        }
        if unpacked > FormExchangeLimits.unpacked {
            throw FormFileError(
                .tooLarge("the unpacked workbook", limit: "\(FormExchangeLimits.unpacked >> 20) MB"), file: file)
        }
    }

    private func damage(_ part: String) -> FormFileError {
        FormFileError(.damagedPart(part, String(cString: zip_strerror(archive))), file: file)
    }
}
