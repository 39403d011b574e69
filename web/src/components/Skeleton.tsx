// Grey blocks about as large as what loads, with words: nothing below moves when it arrives.
import { type Shape, shapeBlocks } from '#data/pageList.ts';

const blocks = shapeBlocks.map((block) => <i key={block} />);

export function Skeleton({ text, shape = 'lines' }: { readonly text: string; readonly shape?: Shape }) {
  return (
    <div className="skeleton" data-is={shape} role="status">
      <p>{text}</p>
      {blocks}
    </div>
  );
}
